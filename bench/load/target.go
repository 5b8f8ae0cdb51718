package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/url"
	"os"
)

// target is a server and who asks it.
type target struct {
	server, caFile, certFile, keyFile string

	host   string
	config *tls.Config
}

// load reads the files, once.
func (t *target) load() error {
	if t.config != nil {
		return nil
	}
	address, err := url.Parse(t.server)
	if err != nil {
		return err
	}
	ca, err := os.ReadFile(t.caFile)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		return fmt.Errorf("%s has no certificate", t.caFile)
	}
	pair, err := tls.LoadX509KeyPair(t.certFile, t.keyFile)
	if err != nil {
		return err
	}
	t.host = address.Host
	t.config = &tls.Config{
		RootCAs:      roots,
		Certificates: []tls.Certificate{pair},
		NextProtos:   []string{"h2"},
		// Or the first requests of a connection go out in pieces of a network packet each.
		DynamicRecordSizingDisabled: true,
	}
	return nil
}

func (t *target) dial() (*tls.Conn, error) {
	if err := t.load(); err != nil {
		return nil, err
	}
	raw, err := net.Dial("tcp", t.host)
	if err != nil {
		return nil, err
	}
	config := t.config.Clone()
	config.ServerName, _, _ = net.SplitHostPort(t.host)
	secure := tls.Client(raw, config)
	if err := secure.Handshake(); err != nil {
		return nil, err
	}
	if got := secure.ConnectionState().NegotiatedProtocol; got != "h2" {
		return nil, fmt.Errorf("%s speaks %q and not HTTP/2", t.server, got)
	}
	return secure, nil
}
