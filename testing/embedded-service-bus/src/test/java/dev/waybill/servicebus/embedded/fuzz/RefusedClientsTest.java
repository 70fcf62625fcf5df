package dev.waybill.servicebus.embedded.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that were told why they are refused, and go on writing. */
@Timeout(30)
class RefusedClientsTest {
    private static final byte[] FRAME_OF_TWO_GIGABYTES = {0x7f, 0, 0, 0, 2, 0, 0, 0};

    /** Ways to end what is left of a connection. */
    enum End {
        SUSPEND,
        DROP,
        CLOSE;

        private void of(EmbeddedServiceBus bus) {
            switch (this) {
                case SUSPEND -> bus.suspend();
                case DROP -> bus.dropConnections();
                case CLOSE -> bus.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_refused_client_that_still_writes_is_cut_at_once_with_all_others(End end) throws Exception {
        try (EmbeddedServiceBus bus = EmbeddedServiceBus.builder().start();
                Socket client = new Socket(InetAddress.getLoopbackAddress(), bus.port())) {
            refuse(client);
            assertThat(heard(client)).contains("amqp:connection:framing-error");

            end.of(bus);

            long from = System.nanoTime();
            assertThatThrownBy(() -> writeWithoutEnd(client)).isInstanceOf(IOException.class);
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - from)).isLessThan(1_000);
        }
    }

    @Test
    void a_client_that_still_writes_by_tls_while_it_is_refused_hears_why() throws Exception {
        try (EmbeddedServiceBus bus = EmbeddedServiceBus.builder().tls().start();
                Socket client = bus.tlsIdentity()
                        .client()
                        .getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), bus.port())) {
            // Of one record, so that more comes with the frame in whatever pieces the network hands them on.
            byte[] frameAndMore = new byte[10_000];
            System.arraycopy(FRAME_OF_TWO_GIGABYTES, 0, frameAndMore, 0, FRAME_OF_TWO_GIGABYTES.length);
            client.getOutputStream().write(AmqpBytes.HEADER);
            client.getOutputStream().write(frameAndMore);
            for (int i = 0; i < 100; i++) {
                client.getOutputStream().write(new byte[60_000]);
            }

            assertThat(heard(client)).contains("amqp:connection:framing-error");
            assertThat(bus.connectionCount()).isZero();
        }
    }

    private static void refuse(Socket client) throws IOException {
        client.getOutputStream().write(AmqpBytes.HEADER);
        client.getOutputStream().write(FRAME_OF_TWO_GIGABYTES);
    }

    private static String heard(Socket client) throws IOException {
        return new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    private static void writeWithoutEnd(Socket client) throws IOException, InterruptedException {
        while (true) {
            client.getOutputStream().write(new byte[100]);
            Thread.sleep(5);
        }
    }
}
