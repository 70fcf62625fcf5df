package dev.waybill.embedded.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ReservedPortTest {
    @Test
    void its_server_starts_twice() throws IOException {
        try (var port = ReservedPort.any()) {
            serveOnce(port);
            serveOnce(port);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void no_connection_of_somebody_else_leaves_from_it_while_its_server_is_down() throws IOException {
        try (var port = ReservedPort.any();
                var elsewhere = new Socket()) {
            serveOnce(port);
            assertThatThrownBy(() -> elsewhere.bind(address(port))).isInstanceOf(BindException.class);
        }
    }

    @Test
    void it_is_free_again_when_it_has_been_closed() throws IOException {
        var port = ReservedPort.any();
        port.close();
        try (var next = new Socket()) {
            next.bind(address(port));
            assertThat(next.isBound()).isTrue();
        }
    }

    private static void serveOnce(ReservedPort port) throws IOException {
        try (var server = new ServerSocket()) {
            server.setReuseAddress(true);
            server.bind(address(port));
        }
    }

    private static InetSocketAddress address(ReservedPort port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port.number());
    }
}
