package main

import (
	"errors"
	"fmt"
	"time"
)

const jsonType = "application/json"

// create makes new ConfigMaps, each of its own name. What warms up goes into a namespace of its own.
func create(o *options) (figures, error) {
	conns, err := connect(o)
	if err != nil {
		return nil, err
	}
	if o.warm > 0 {
		if _, err := createIn(o, conns, o.namespace+"-warm", o.warm); err != nil {
			return nil, err
		}
	}
	done, err := createIn(o, conns, o.namespace, o.count)
	if err != nil {
		return nil, err
	}
	return done.figures(), nil
}

func createIn(o *options, conns []*conn, namespace string, count int) (*tally, error) {
	what, err := creation(o, namespace)
	if err != nil {
		return nil, err
	}
	if err := ensureNamespace(conns[0], namespace); err != nil {
		return nil, err
	}
	return loop(o, conns, count, what)
}

// creation writes the object's number and time over those of the client's last one.
func creation(o *options, namespace string) (work, error) {
	template, err := newMap(o.size)
	if err != nil {
		return nil, err
	}
	own := make([]*mapTemplate, o.clients)
	for id := range own {
		own[id] = template.clone()
	}
	path := fmt.Sprintf(mapsPath, namespace)
	return func(client, number int) call {
		return call{"POST", path, jsonType, own[client].body(number)}
	}, nil
}

// get reads single objects that `create` has made.
func get(o *options) (figures, error) {
	path := fmt.Sprintf(mapsPath, o.namespace)
	return measured(o, func(_, number int) call {
		return call{method: "GET", path: path + "/" + nameOf(number%o.objects)}
	})
}

// list reads all of them at once.
func list(o *options) (figures, error) {
	path := fmt.Sprintf(mapsPath, o.namespace) + "?" + o.query
	return measured(o, func(_, _ int) call { return call{method: "GET", path: path} })
}

// deleteEach deletes `count` objects one by one.
func deleteEach(o *options) (figures, error) {
	path := fmt.Sprintf(mapsPath, o.namespace)
	return measured(o, func(_, number int) call {
		return call{method: "DELETE", path: path + "/" + nameOf(number)}
	})
}

// deleteCollection is what the controller of namespaces sends when one is deleted. As that one does, it asks again when
// the server has not got through with it within the time that a request may take.
func deleteCollection(o *options) (figures, error) {
	path := fmt.Sprintf(mapsPath, o.namespace)
	started := time.Now()
	for times := 1.0; ; times++ {
		answer, err := askOnce(&o.target, call{method: "DELETE", path: path})
		var reset resetError
		switch {
		case errors.As(err, &reset) || err == nil && (answer.code == 500 || answer.code == 504):
			continue
		case err != nil:
			return nil, err
		case answer.code != 200:
			return nil, fmt.Errorf("%s: %d %.500s", path, answer.code, answer.text)
		}
		return figures{"requests": times, "errors": 0, "seconds": time.Since(started).Seconds()}, nil
	}
}

// askOnce is for a request with a connection of its own.
func askOnce(t *target, request call) (*one, error) {
	opened, err := open(t)
	if err != nil {
		return nil, err
	}
	defer opened.close()
	answer := &one{}
	return answer, opened.ask(request, answer)
}

// applyDefinitions applies definitions of custom resources by server-side apply.
func applyDefinitions(o *options) (figures, error) {
	return measured(o, func(_, number int) call {
		name, body := definition(o.group, number)
		path := definitionsPath + name + "?fieldManager=bench&force=true"
		return call{"PATCH", path, "application/apply-patch+yaml", body}
	})
}

func deleteDefinitions(o *options) (figures, error) {
	return measured(o, func(_, number int) call {
		name, _ := definition(o.group, number)
		return call{method: "DELETE", path: definitionsPath + name}
	})
}

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"

// measured makes the requests, after as many of the same as are to warm up.
func measured(o *options, what work) (figures, error) {
	conns, err := connect(o)
	if err != nil {
		return nil, err
	}
	if o.warm > 0 {
		if _, err := loop(o, conns, o.warm, what); err != nil {
			return nil, err
		}
	}
	done, err := loop(o, conns, o.count, what)
	if err != nil {
		return nil, err
	}
	return done.figures(), nil
}

// one is the sink of a request that is made for itself.
type one struct {
	code int
	text []byte
}

func (o *one) status(code int)   { o.code = code }
func (o *one) data(piece []byte) { o.text = append(o.text, piece...) }
func (o *one) end() error        { return nil }

// ensureNamespace makes it, unless it is there.
func ensureNamespace(c *conn, name string) error {
	body := fmt.Appendf(nil, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"%s"}}`, name)
	answer := &one{}
	if err := c.ask(call{"POST", "/api/v1/namespaces", jsonType, body}, answer); err != nil {
		return err
	}
	if answer.code != 201 && answer.code != 409 {
		return fmt.Errorf("the namespace %s: %d %s", name, answer.code, answer.text)
	}
	return nil
}
