package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

const (
	mapsPath = "/api/v1/namespaces/%s/configmaps"
	// Names are of one length, so that a number is written over another.
	nameDigits = 8
	// Nanoseconds since 1970, until the year 2286.
	timeDigits = 19
	// What stands before the time in an object that comes back. Managed fields name it too, but otherwise.
	timeMark = `"sentAt":"`
	line     = `a.setting.of.some.program = a value of some length, as they are\n`
	perKey   = 16
)

// mapTemplate is a ConfigMap as bytes, in which a name and a time are written over.
type mapTemplate struct {
	bytes  []byte
	nameAt int
	timeAt int
}

// newMap makes a ConfigMap of so many bytes: lines of text in several keys, as files have them.
func newMap(size int) (*mapTemplate, error) {
	var text strings.Builder
	text.WriteString(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"`)
	nameAt := text.Len()
	text.WriteString("m" + strings.Repeat("0", nameDigits))
	text.WriteString(`","labels":{"app":"bench"}},"data":{` + timeMark)
	timeAt := text.Len()
	text.WriteString(strings.Repeat("0", timeDigits))
	const end = `"}}`
	for key := 0; ; key++ {
		opening := fmt.Sprintf(`","file-%d":"`, key)
		room := size - text.Len() - len(opening) - len(end)
		if room < 0 {
			break
		}
		text.WriteString(opening)
		lines := min(room/len(line), perKey)
		text.WriteString(strings.Repeat(line, lines))
		if lines < perKey {
			text.WriteString(strings.Repeat("x", min(room-lines*len(line), len(line))))
		}
	}
	text.WriteString(strings.Repeat("x", max(0, size-text.Len()-len(end))))
	text.WriteString(end)
	if text.Len() != size {
		return nil, fmt.Errorf("no object has %d bytes; the smallest has %d", size, text.Len())
	}
	return &mapTemplate{bytes: []byte(text.String()), nameAt: nameAt, timeAt: timeAt}, nil
}

// clone is for one client, who has one request under way.
func (m *mapTemplate) clone() *mapTemplate {
	copied := *m
	copied.bytes = []byte(string(m.bytes))
	return &copied
}

// body writes the name of this number and the present time over those before.
func (m *mapTemplate) body(number int) []byte {
	putDigits(m.bytes[m.nameAt+1:m.nameAt+1+nameDigits], int64(number))
	putDigits(m.bytes[m.timeAt:m.timeAt+timeDigits], time.Now().UnixNano())
	return m.bytes
}

func putDigits(into []byte, value int64) {
	for at := len(into) - 1; at >= 0; at-- {
		into[at] = byte('0' + value%10)
		value /= 10
	}
}

func nameOf(number int) string {
	text := strconv.Itoa(number)
	return "m" + strings.Repeat("0", nameDigits-len(text)) + text
}

// definition is a CustomResourceDefinition of about 10 kB: as many fields, descriptions and levels as real ones have.
func definition(group string, number int) (name string, body []byte) {
	plural := fmt.Sprintf("benches%d", number)
	leaf := func(at int) string {
		return fmt.Sprintf(`"field%d":{"type":"string","description":"What the part number %d of this is called, where it has a name of its own that is not the usual one.","maxLength":253}`, at, at)
	}
	part := func(at int) string {
		fields := make([]string, 8)
		for field := range fields {
			fields[field] = leaf(field)
		}
		return fmt.Sprintf(`"part%d":{"type":"object","description":"A part of it.","required":["field0"],"properties":{%s,"list":{"type":"array","items":{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"integer","minimum":0}}}}}}`, at, strings.Join(fields, ","))
	}
	parts := make([]string, 6)
	for at := range parts {
		parts[at] = part(at)
	}
	name = plural + "." + group
	return name, fmt.Appendf(nil, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"%s"},"spec":{"group":"%s","scope":"Namespaced","names":{"plural":"%s","singular":"bench%d","kind":"Bench%d"},"versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{%s}},"status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}}`,
		name, group, plural, number, number, strings.Join(parts, ","))
}
