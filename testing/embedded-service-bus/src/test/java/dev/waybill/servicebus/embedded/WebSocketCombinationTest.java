package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Web Socket clients that cut their frames oddly, ask in the middle whether anybody is there, and leave in every way. */
class WebSocketCombinationTest extends BusTest {
    private static final byte[] HEADER = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
    private static final byte[] OPEN = {0, 0, 0, 17, 2, 0, 0, 0, 0, 0x53, 0x10, (byte) 0xC0, 4, 1, (byte) 0xA1, 1, 'x'};
    private static final byte[] CLOSE = {0, 0, 0, 12, 2, 0, 0, 0, 0, 0x53, 0x18, 0x45};
    private static final byte[] SASL = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder().queue("orders");
    }

    private Socket connected() throws IOException {
        Socket socket = clients.track(new Socket(InetAddress.getLoopbackAddress(), bus.port()));
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
        String request = String.join(
                "\r\n",
                "GET /$servicebus/websocket HTTP/1.1",
                "Host: x",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "Sec-WebSocket-Protocol: AMQPWSB10",
                "Sec-WebSocket-Version: 13",
                "",
                "");
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        while (!answer.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            answer.write(socket.getInputStream().read());
        }
        assertThat(answer.toString(StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 101");
        return socket;
    }

    private static byte[] frame(boolean last, int kind, byte... payload) {
        byte[] mask = {1, (byte) 0xFF, 0, 42};
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write((last ? 0x80 : 0) | kind);
        frame.write(0x80 | payload.length);
        frame.writeBytes(mask);
        for (int i = 0; i < payload.length; i++) {
            frame.write(payload[i] ^ mask[i % 4]);
        }
        return frame.toByteArray();
    }

    @Test
    void a_header_in_fragments_of_a_byte_with_pings_between_them_is_understood() throws Exception {
        Socket socket = connected();
        for (int i = 0; i < SASL.length; i++) {
            boolean last = i == SASL.length - 1;
            for (byte one : frame(last, i == 0 ? 2 : 0, SASL[i])) {
                socket.getOutputStream().write(one);
            }
            socket.getOutputStream().write(frame(true, 9, (byte) i, (byte) 7));
        }
        byte[] pongs = new byte[0];
        byte[] first = new byte[0];
        while (pongs.length < SASL.length * 4 || first.length < 10) {
            int head = socket.getInputStream().read();
            int length = socket.getInputStream().read();
            byte[] payload = socket.getInputStream().readNBytes(length);
            if (head == 0x8A) {
                pongs = concat(pongs, new byte[] {(byte) head, (byte) length}, payload);
            } else {
                first = concat(first, payload, new byte[2]);
            }
        }
        assertThat(Arrays.copyOf(first, SASL.length)).isEqualTo(SASL);
        for (int i = 0; i < SASL.length; i++) {
            assertThat(pongs[i * 4 + 2]).isEqualTo((byte) i);
        }
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @Test
    void a_client_that_closes_its_web_socket_is_answered_and_forgotten() throws Exception {
        Socket socket = connected();
        socket.getOutputStream().write(frame(true, 2, SASL));
        socket.getOutputStream().write(frame(true, 8, (byte) 3, (byte) 0xE8));
        assertThat(lastFrame(socket)).isEqualTo(closing(1000));
        await().until(() -> bus.connectionCount() == 0);
    }

    @Test
    void a_client_that_closes_its_web_socket_is_answered_with_its_own_reason_or_none() throws Exception {
        Socket socket = connected();
        socket.getOutputStream().write(frame(true, 8, (byte) 0x0F, (byte) 0xA0, (byte) 'x'));
        assertThat(lastFrame(socket)).isEqualTo(closing(4000));
        Socket silent = connected();
        silent.getOutputStream().write(frame(true, 8));
        assertThat(silent.getInputStream().readAllBytes()).isEqualTo(new byte[] {(byte) 0x88, 0});
    }

    private static byte[] closing(int code) {
        return new byte[] {(byte) 0x88, 2, (byte) (code >> 8), (byte) code};
    }

    /**
     * The last bytes that the broker sends before it ends the connection: as many as a closing frame with a code takes.
     */
    private static byte[] lastFrame(Socket socket) throws IOException {
        byte[] all = socket.getInputStream().readAllBytes();
        return Arrays.copyOfRange(all, Math.max(0, all.length - 4), all.length);
    }

    @Test
    void a_connection_that_the_client_closed_in_amqp_ends_with_a_closing_frame() throws Exception {
        Socket socket = connected();
        socket.getOutputStream().write(frame(true, 2, concat(HEADER, OPEN, CLOSE)));
        assertThat(lastFrame(socket)).isEqualTo(closing(1000));
        await().until(() -> bus.connectionCount() == 0);
    }

    @Test
    void a_connection_that_the_broker_closes_in_amqp_ends_with_a_closing_frame() throws Exception {
        bus.faults().at(FaultPoint.CONNECT).times(1).then(FaultAction.reject(BrokerError.SERVER_BUSY));
        Socket socket = connected();
        socket.getOutputStream().write(frame(true, 2, concat(HEADER, OPEN)));
        socket.getOutputStream().write(frame(true, 2, CLOSE));
        assertThat(lastFrame(socket)).isEqualTo(closing(1000));
    }

    @Test
    void a_broker_that_is_closed_says_that_it_goes_away() throws Exception {
        Socket socket = connected();
        socket.getOutputStream().write(frame(true, 2, HEADER));
        Socket quiet = connected();
        await().until(() -> bus.connectionCount() == 2);
        bus.close();
        assertThat(lastFrame(socket)).isEqualTo(closing(1001));
        assertThat(lastFrame(quiet)).isEqualTo(closing(1001));
    }

    @Test
    void a_cut_connection_ends_without_a_word() throws Exception {
        Socket socket = connected();
        await().until(() -> bus.connectionCount() == 1);
        bus.dropConnections();
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void frames_that_no_client_may_send_end_its_connection_and_no_other() throws Exception {
        var sender = clients.sender("orders");
        sender.sendMessage(Clients.message("m1"));
        for (byte[] wrong : new byte[][] {
            {(byte) 0x82, 1, 'A'},
            {(byte) 0x83, (byte) 0x80, 0, 0, 0, 0},
            {(byte) 0x89, (byte) 0xFE, 0, 126, 0, 0, 0, 0},
            {(byte) 0xC2, (byte) 0x80, 0, 0, 0, 0},
            {0x09, (byte) 0x80, 0, 0, 0, 0},
            {(byte) 0x88, (byte) 0x81, 0, 0, 0, 0, 1},
            {(byte) 0x82, (byte) 0xFF, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0}
        }) {
            Socket socket = connected();
            socket.getOutputStream().write(wrong);
            assertThat(lastFrame(socket)).isEqualTo(closing(1002));
        }
        sender.sendMessage(Clients.message("m2"));
        assertThat(bus.inspect("orders").active()).isEqualTo(2);
    }
}
