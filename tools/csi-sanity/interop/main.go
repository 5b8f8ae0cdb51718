// Command interop is the other side of our gRPC: a client and a server of grpc-go, for the real lane.
//
//	interop serve SOCKET          a driver that answers, fails and waits as its requests say
//	interop check SOCKET          calls such a driver in the ways that sidecars and kubelets do
//	interop bench SOCKET SECONDS  calls per second, one after the other and 32 at a time
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

const message = "größer als 100 %\nzweite Zeile"

type driver struct {
	csi.UnimplementedIdentityServer
	csi.UnimplementedControllerServer
}

func (driver) GetPluginInfo(context.Context, *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
	return &csi.GetPluginInfoResponse{Name: "interop.csi", VendorVersion: "1"}, nil
}

func (driver) CreateVolume(ctx context.Context, req *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	switch req.Name {
	case "fail":
		return nil, status.Error(codes.OutOfRange, message)
	case "wait":
		<-ctx.Done()
		return nil, status.FromContextError(ctx.Err()).Err()
	}
	return &csi.CreateVolumeResponse{Volume: &csi.Volume{
		VolumeId:      req.Name,
		CapacityBytes: req.GetCapacityRange().GetRequiredBytes(),
		VolumeContext: req.Parameters,
	}}, nil
}

func serve(socket string) error {
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	csi.RegisterIdentityServer(server, driver{})
	csi.RegisterControllerServer(server, driver{})
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	go func() { <-stop; server.GracefulStop() }()
	fmt.Println("ready")
	return server.Serve(listener)
}

// dial connects as the named part does: they differ in what they send as authority.
func dial(how, socket string) (*grpc.ClientConn, error) {
	plain := grpc.WithTransportCredentials(insecure.NewCredentials())
	dialer := grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	})
	if how == "sidecar" {
		return grpc.NewClient("unix://"+socket, plain)
	}
	return grpc.NewClient("passthrough:///"+socket, plain, dialer)
}

func check(socket string) error {
	for _, how := range []string{"sidecar", "kubelet"} {
		connection, err := dial(how, socket)
		if err != nil {
			return err
		}
		if err := checkCalls(csi.NewIdentityClient(connection), csi.NewControllerClient(connection)); err != nil {
			return fmt.Errorf("as a %s: %w", how, err)
		}
		connection.Close()
		fmt.Println("ok", how)
	}
	return nil
}

func checkCalls(identity csi.IdentityClient, controller csi.ControllerClient) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if _, err := identity.GetPluginInfo(ctx, &csi.GetPluginInfoRequest{}); err != nil {
		return err
	}
	create := func(ctx context.Context, name string, parameters map[string]string) (*csi.CreateVolumeResponse, error) {
		return controller.CreateVolume(ctx, &csi.CreateVolumeRequest{
			Name:          name,
			CapacityRange: &csi.CapacityRange{RequiredBytes: 1 << 40},
			Parameters:    parameters,
		})
	}
	answer, err := create(ctx, "volume", map[string]string{"a": "1", "ü": strings.Repeat("x", 200_000)})
	if err != nil {
		return err
	}
	if answer.Volume.VolumeId != "volume" || answer.Volume.CapacityBytes != 1<<40 || len(answer.Volume.VolumeContext["ü"]) != 200_000 {
		return fmt.Errorf("a volume came back as %.200v", answer.Volume)
	}
	if _, err := create(ctx, "fail", nil); status.Code(err) != codes.OutOfRange || status.Convert(err).Message() != message {
		return fmt.Errorf("the failure came as %q", err)
	}
	if _, err := create(ctx, "volume", map[string]string{"x": strings.Repeat("x", 5<<20)}); status.Code(err) != codes.ResourceExhausted {
		return fmt.Errorf("a message that is too long gave %.200v", err)
	}
	if _, err := controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{}); status.Code(err) != codes.Unimplemented {
		return fmt.Errorf("a method that is not there gave %v", err)
	}
	short, stop := context.WithTimeout(ctx, 50*time.Millisecond)
	defer stop()
	if _, err := create(short, "wait", nil); status.Code(err) != codes.DeadlineExceeded {
		return fmt.Errorf("a deadline gave %v", err)
	}
	cancelled, giveUp := context.WithCancel(ctx)
	time.AfterFunc(50*time.Millisecond, giveUp)
	if _, err := create(cancelled, "wait", nil); status.Code(err) != codes.Canceled {
		return fmt.Errorf("a cancellation gave %v", err)
	}
	var group sync.WaitGroup
	var failures atomic.Int64
	for index := range 500 {
		group.Go(func() {
			name := strconv.Itoa(index)
			if answer, err := create(ctx, name, nil); err != nil || answer.Volume.VolumeId != name {
				failures.Add(1)
			}
		})
	}
	group.Wait()
	if count := failures.Load(); count > 0 {
		return fmt.Errorf("%d of 500 calls at once failed", count)
	}
	return nil
}

func bench(socket string, seconds float64) error {
	connection, err := dial("sidecar", socket)
	if err != nil {
		return err
	}
	defer connection.Close()
	controller := csi.NewControllerClient(connection)
	request := &csi.CreateVolumeRequest{
		Name:          "pvc-dca914b0-83da-409f-8cd6-13b0f711596a",
		CapacityRange: &csi.CapacityRange{RequiredBytes: 1 << 30},
		Parameters:    map[string]string{"directpv.min.io/access-tier": "hot"},
	}
	for _, workers := range []int{1, 32} {
		var calls atomic.Int64
		var group sync.WaitGroup
		var failure error
		end := time.Now().Add(time.Duration(seconds * float64(time.Second)))
		for range workers {
			group.Go(func() {
				for time.Now().Before(end) {
					if _, err := controller.CreateVolume(context.Background(), request); err != nil {
						failure = err
						return
					}
					calls.Add(1)
				}
			})
		}
		group.Wait()
		if failure != nil {
			return failure
		}
		fmt.Printf("%d %.0f\n", workers, float64(calls.Load())/seconds)
	}
	return nil
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "serve":
		return serve(args[1])
	case len(args) == 2 && args[0] == "check":
		return check(args[1])
	case len(args) == 3 && args[0] == "bench":
		seconds, err := strconv.ParseFloat(args[2], 64)
		if err != nil {
			return err
		}
		return bench(args[1], seconds)
	}
	return fmt.Errorf("usage: interop serve|check SOCKET, interop bench SOCKET SECONDS")
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
