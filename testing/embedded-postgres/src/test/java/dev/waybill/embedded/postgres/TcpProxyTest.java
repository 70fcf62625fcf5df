package dev.waybill.embedded.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TcpProxyTest {
    private ServerSocket target;
    private TcpProxy proxy;

    @BeforeEach
    void listen() throws IOException {
        target = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        proxy = TcpProxy.to(target.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        target.close();
    }

    @Test
    void a_silent_flow_delivers_nothing_and_closes_nothing_until_it_is_resumed() throws IOException {
        try (Socket client = connect();
                Socket server = target.accept()) {
            transfer(client, server);
            proxy.flows().get(0).silence();
            client.getOutputStream().write(7);
            client.shutdownOutput();
            server.setSoTimeout(200);
            assertThatThrownBy(() -> server.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);

            server.setSoTimeout(0);
            proxy.resume();

            assertThat(server.getInputStream().read()).isEqualTo(7);
            assertThat(server.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void a_forgotten_flow_stays_silent_while_new_ones_are_served() throws IOException {
        try (Socket old = connect();
                Socket oldServer = target.accept()) {
            transfer(old, oldServer);
            proxy.forgetFlows();
            try (Socket client = connect();
                    Socket server = target.accept()) {
                transfer(client, server);
            }
            old.getOutputStream().write(7);
            oldServer.setSoTimeout(200);
            assertThatThrownBy(() -> oldServer.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void new_flows_are_led_elsewhere_while_open_ones_stay() throws IOException {
        try (var elsewhere = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Socket old = connect();
                Socket oldServer = target.accept()) {
            transfer(old, oldServer);

            proxy.leadTo(elsewhere.getLocalPort());

            try (Socket client = connect();
                    Socket server = elsewhere.accept()) {
                transfer(client, server);
            }
            transfer(old, oldServer);
        }
    }

    @Test
    void what_is_sent_over_a_slow_flow_arrives_late_in_order_and_before_its_end() throws IOException {
        proxy.delay(Duration.ofMillis(150));
        try (Socket client = connect();
                Socket server = target.accept()) {
            long begunAt = System.nanoTime();
            for (int i = 0; i < 5; i++) {
                client.getOutputStream().write(i);
            }
            client.shutdownOutput();

            for (int i = 0; i < 5; i++) {
                assertThat(server.getInputStream().read()).isEqualTo(i);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begunAt)).isGreaterThanOrEqualTo(Duration.ofMillis(150));
            assertThat(server.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void a_cut_flow_ends_on_both_sides() throws IOException {
        try (Socket client = connect();
                Socket server = target.accept()) {
            transfer(client, server);

            proxy.cut();

            assertThat(server.getInputStream().read()).isEqualTo(-1);
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            assertThat(proxy.flows()).isEmpty();
        }
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    }

    private static void transfer(Socket from, Socket to) throws IOException {
        from.getOutputStream().write(1);
        assertThat(to.getInputStream().read()).isEqualTo(1);
    }
}
