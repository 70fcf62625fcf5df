package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients of administration that keep connections which they do not use, as many as there may be. */
@EmbeddedOnly("speaks HTTP without the client library")
class IdleAdministrationTest extends BusTest {
    private static final int MOST_CLIENTS = 256;
    private static final byte[] HEALTH = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder().administrationPort(0).queue("orders");
    }

    private Socket connected() {
        try {
            Socket socket = clients.track(new Socket(InetAddress.getLoopbackAddress(), bus.administrationPort()));
            socket.setSoTimeout(20_000);
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks and reads the answer, whose end is known; keeps the connection. */
    private static boolean answers(Socket socket) throws IOException {
        socket.getOutputStream().write(HEALTH);
        StringBuilder answer = new StringBuilder();
        InputStream in = socket.getInputStream();
        while (!answer.toString().endsWith("{\"status\":\"healthy\"}")) {
            int next = in.read();
            if (next < 0) {
                return false;
            }
            answer.append((char) next);
        }
        return true;
    }

    @Test
    void connections_kept_for_later_make_room_for_another_client_the_one_idle_for_longest_first() throws Exception {
        List<Socket> kept = new ArrayList<>();
        for (int i = 0; i < MOST_CLIENTS; i++) {
            Socket socket = connected();
            assertThat(answers(socket)).isTrue();
            kept.add(socket);
        }
        assertThat(answers(kept.get(0))).isTrue();

        assertThat(answers(connected())).isTrue();
        assertThat(kept.get(1).getInputStream().read()).isEqualTo(-1);
        assertThat(answers(kept.get(0))).isTrue();
        assertThat(answers(kept.get(2))).isTrue();
    }

    @Test
    void connections_on_which_nothing_is_ever_said_make_room_for_another_client() throws Exception {
        for (int i = 0; i < MOST_CLIENTS + 10; i++) {
            connected();
        }
        assertThat(answers(connected())).isTrue();
    }

    @Test
    void connections_on_which_half_a_request_was_said_make_room_for_another_client() throws Exception {
        for (int i = 0; i < MOST_CLIENTS + 10; i++) {
            connected().getOutputStream().write("PUT /a HTTP/1.1\r\nContent-".getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(answers(connected())).isTrue();
    }
}
