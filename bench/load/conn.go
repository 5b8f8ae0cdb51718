package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

const (
	largestWindow = 1<<31 - 1
	firstWindow   = 65535
	// What was received is given back to the server in steps of this.
	windowStep   = 1 << 29
	largestFrame = 16384
	readBuffer   = 64 * 1024
)

// call is one request. Its body is copied when it is sent.
type call struct {
	method, path, contentType string
	body                      []byte
}

// sink takes the answer to one call. It is told of the status first, then of the body as it comes, then of the end.
type sink interface {
	status(code int)
	data(piece []byte)
	end() error
}

// conn is one HTTP/2 connection. One goroutine has it: what it sends while it reads goes out in one write, when
// nothing more has come.
type conn struct {
	host      string
	tls       *tls.Conn
	in        *bufio.Reader
	framer    *http2.Framer
	out       []byte
	block     bytes.Buffer
	encoder   *hpack.Encoder
	decoder   *hpack.Decoder
	status    int
	sinks     map[uint32]sink
	nextID    uint32
	window    int64 // what may be sent on the connection
	perStream int64 // and on each stream
	waiting   []waiting
	received  uint32
}

// waiting is a call for which the server has no room yet.
type waiting struct {
	call call
	sink sink
}

func open(t *target) (*conn, error) {
	secure, err := t.dial()
	if err != nil {
		return nil, err
	}
	c := &conn{
		host: t.host, tls: secure, in: bufio.NewReaderSize(secure, readBuffer), sinks: map[uint32]sink{},
		nextID: 1, window: firstWindow, perStream: firstWindow,
	}
	c.framer = http2.NewFramer(io.Discard, c.in)
	c.framer.SetReuseFrames()
	c.encoder = hpack.NewEncoder(&c.block)
	c.decoder = hpack.NewDecoder(4096, c.field)
	c.out = append(c.out, http2.ClientPreface...)
	settings := []http2.Setting{
		{ID: http2.SettingEnablePush, Val: 0},
		{ID: http2.SettingInitialWindowSize, Val: largestWindow},
	}
	c.header(len(settings)*6, http2.FrameSettings, 0, 0)
	for _, setting := range settings {
		c.out = binary.BigEndian.AppendUint16(c.out, uint16(setting.ID))
		c.out = binary.BigEndian.AppendUint32(c.out, setting.Val)
	}
	c.giveBack(largestWindow - firstWindow)
	return c, c.flush()
}

// field looks for the status, and has nothing made of the other fields.
func (c *conn) field(f hpack.HeaderField) {
	if f.Name == ":status" {
		c.status, _ = strconv.Atoi(f.Value)
		c.decoder.SetEmitEnabled(false)
	}
}

// send puts a request into the buffer, or into the queue where the server has no room for its body.
func (c *conn) send(request call, to sink) error {
	size := int64(len(request.body))
	if size > c.perStream {
		return fmt.Errorf("a body of %d bytes, and the server takes %d", size, c.perStream)
	}
	if size > c.window || len(c.waiting) > 0 {
		request.body = bytes.Clone(request.body)
		c.waiting = append(c.waiting, waiting{request, to})
		return nil
	}
	c.window -= size
	id := c.nextID
	c.nextID += 2
	c.sinks[id] = to
	c.block.Reset()
	c.write(":method", request.method)
	c.write(":scheme", "https")
	c.write(":authority", c.host)
	// Not into the table of what may be named by a number: most come once.
	_ = c.encoder.WriteField(hpack.HeaderField{Name: ":path", Value: request.path, Sensitive: true})
	c.write("accept", "application/json")
	c.write("user-agent", "windlass-load")
	flags := http2.FlagHeadersEndHeaders
	if size > 0 {
		c.write("content-type", request.contentType)
		_ = c.encoder.WriteField(hpack.HeaderField{Name: "content-length", Value: strconv.FormatInt(size, 10)})
	} else {
		flags |= http2.FlagHeadersEndStream
	}
	c.header(c.block.Len(), http2.FrameHeaders, flags, id)
	c.out = append(c.out, c.block.Bytes()...)
	for rest := request.body; len(rest) > 0; {
		piece := rest[:min(len(rest), largestFrame)]
		rest = rest[len(piece):]
		end := http2.Flags(0)
		if len(rest) == 0 {
			end = http2.FlagDataEndStream
		}
		c.header(len(piece), http2.FrameData, end, id)
		c.out = append(c.out, piece...)
	}
	return nil
}

func (c *conn) write(name, value string) {
	_ = c.encoder.WriteField(hpack.HeaderField{Name: name, Value: value}) // into memory
}

func (c *conn) header(length int, kind http2.FrameType, flags http2.Flags, id uint32) {
	c.out = append(c.out, byte(length>>16), byte(length>>8), byte(length), byte(kind), byte(flags))
	c.out = binary.BigEndian.AppendUint32(c.out, id)
}

func (c *conn) giveBack(bytes uint32) {
	c.header(4, http2.FrameWindowUpdate, 0, 0)
	c.out = binary.BigEndian.AppendUint32(c.out, bytes)
}

func (c *conn) flush() error {
	if len(c.out) == 0 {
		return nil
	}
	_, err := c.tls.Write(c.out)
	c.out = c.out[:0]
	return err
}

// run reads until no answer is awaited any more.
func (c *conn) run() error {
	for len(c.sinks) > 0 || len(c.waiting) > 0 {
		if c.in.Buffered() == 0 {
			if err := c.flush(); err != nil {
				return err
			}
		}
		if err := c.read(); err != nil {
			return err
		}
	}
	return c.flush()
}

// ask sends one request by itself, and returns when it is answered.
func (c *conn) ask(request call, to sink) error {
	if err := c.send(request, to); err != nil {
		return err
	}
	return c.run()
}

func (c *conn) read() error {
	frame, err := c.framer.ReadFrame()
	if err != nil {
		return err
	}
	id := frame.Header().StreamID
	switch frame := frame.(type) {
	case *http2.HeadersFrame:
		c.status = 0
		c.decoder.SetEmitEnabled(true)
		if err := c.fields(id, frame.HeaderBlockFragment(), frame.HeadersEnded()); err != nil {
			return err
		}
		if frame.StreamEnded() {
			return c.ended(id)
		}
	case *http2.ContinuationFrame:
		return c.fields(id, frame.HeaderBlockFragment(), frame.HeadersEnded())
	case *http2.DataFrame:
		if c.received += frame.Length; c.received >= windowStep {
			c.giveBack(c.received)
			c.received = 0
		}
		if to := c.sinks[id]; to != nil {
			to.data(frame.Data())
		}
		if frame.StreamEnded() {
			return c.ended(id)
		}
	case *http2.SettingsFrame:
		return c.settings(frame)
	case *http2.WindowUpdateFrame:
		if id == 0 {
			c.window += int64(frame.Increment)
			return c.sendWaiting()
		}
	case *http2.PingFrame:
		if !frame.IsAck() {
			c.header(len(frame.Data), http2.FramePing, http2.FlagPingAck, 0)
			c.out = append(c.out, frame.Data[:]...)
		}
	case *http2.RSTStreamFrame:
		return resetError{frame.ErrCode}
	case *http2.GoAwayFrame:
		return fmt.Errorf("the server hangs up: %v %s", frame.ErrCode, frame.DebugData())
	}
	return nil
}

func (c *conn) fields(id uint32, block []byte, isLast bool) error {
	if _, err := c.decoder.Write(block); err != nil || !isLast {
		return err
	}
	if to := c.sinks[id]; to != nil && c.status != 0 {
		to.status(c.status)
	}
	return c.decoder.Close()
}

func (c *conn) settings(frame *http2.SettingsFrame) error {
	if frame.IsAck() {
		return nil
	}
	if value, ok := frame.Value(http2.SettingInitialWindowSize); ok {
		c.perStream = int64(value)
	}
	c.header(0, http2.FrameSettings, http2.FlagSettingsAck, 0)
	return nil
}

func (c *conn) sendWaiting() error {
	queue := c.waiting
	c.waiting = nil
	for at, one := range queue {
		if int64(len(one.call.body)) > c.window {
			c.waiting = append(queue[at:], c.waiting...)
			return nil
		}
		if err := c.send(one.call, one.sink); err != nil {
			return err
		}
	}
	return nil
}

func (c *conn) ended(id uint32) error {
	to := c.sinks[id]
	delete(c.sinks, id)
	if to == nil {
		return nil
	}
	return to.end()
}

func (c *conn) close() { _ = c.tls.Close() }

// resetError is an answer that the server broke off, as kube-apiserver does with one that takes it longer than a minute.
type resetError struct{ code http2.ErrCode }

func (r resetError) Error() string { return fmt.Sprintf("the server broke an answer off: %v", r.code) }
