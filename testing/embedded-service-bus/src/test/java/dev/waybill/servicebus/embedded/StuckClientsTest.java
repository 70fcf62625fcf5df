package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.core.amqp.AmqpTransportType;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import dev.waybill.servicebus.embedded.security.TlsIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Receiver;
import org.junit.jupiter.api.Test;

/** Clients that stop half-way: they do not read, do not finish a handshake, or wait for what does not come. */
@EmbeddedOnly("speaks AMQP and TLS without the client library")
class StuckClientsTest extends BusTest {
    private static final int LARGE = 100_000;

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder().queue("orders").queue("wallet-tx", q -> q.requiresSession());
    }

    private RawClient connected() {
        RawClient raw = clients.track(RawClient.connect(bus.port()));
        raw.open();
        return raw;
    }

    @Test
    void a_client_that_does_not_read_is_not_given_all_that_it_has_credit_for_until_it_reads() {
        ServiceBusSenderClient sender = clients.sender("orders");
        for (int i = 0; i < 400; i++) {
            sender.sendMessage(new ServiceBusMessage(new byte[LARGE]));
        }
        RawClient raw = connected();
        Receiver receiver = raw.newReceiver("r");
        raw.attach(receiver, "orders", Map.of());
        raw.grant(receiver, 10_000);
        await().during(Duration.ofMillis(300))
                .until(() -> bus.inspect("orders").locked(), locked -> locked > 0 && locked < 250);

        int[] read = {0};
        raw.until(() -> {
            while (receiver.current() != null && !receiver.current().isPartial()) {
                receiver.advance();
                read[0]++;
            }
            return read[0] == 400;
        });
        assertThat(bus.inspect("orders").locked()).isEqualTo(400);
    }

    @Test
    void handshakes_that_are_never_finished_hold_nobody_up() throws Exception {
        byte[][] beginnings = {
            {},
            {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3},
            "GET /$servicebus/websocket HTTP/1.1\r\nHost".getBytes(StandardCharsets.US_ASCII)
        };
        List<Socket> half = new ArrayList<>();
        try (EmbeddedServiceBus secure =
                        EmbeddedServiceBus.builder().queue("orders").tls().start();
                TlsIdentity.Trusted trusted = secure.tlsIdentity().trustInThisProcess()) {
            assertThat(trusted).isNotNull();
            for (int i = 0; i < 90; i++) {
                half.add(new Socket(InetAddress.getLoopbackAddress(), secure.port()));
                half.get(i).getOutputStream().write(beginnings[i % beginnings.length]);
            }
            throughWebSockets(secure);
            closeAll(half);
            await().until(() -> secure.connectionCount() == 0);
        } finally {
            closeAll(half);
        }
    }

    private static void throughWebSockets(EmbeddedServiceBus secure) {
        var client = new ServiceBusClientBuilder()
                .connectionString(secure.connectionString())
                .customEndpointAddress("https://localhost:" + secure.port())
                .transportType(AmqpTransportType.AMQP_WEB_SOCKETS);
        try (var sender = client.sender().queueName("orders").buildClient();
                var receiver = client.receiver()
                        .queueName("orders")
                        .disableAutoComplete()
                        .buildClient()) {
            sender.sendMessages(IntStream.range(0, 500)
                    .mapToObj(i -> Clients.message("m" + i))
                    .toList());
            assertThat(Clients.receive(receiver, 500)).hasSize(500);
        }
    }

    private static void closeAll(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void a_thousand_that_wait_for_a_session_are_told_that_the_queue_is_gone() {
        RawClient raw = connected();
        List<Receiver> waiting = IntStream.range(0, 1_000)
                .mapToObj(i -> raw.acceptNextSession("wallet-tx", "next-" + i))
                .toList();
        await().until(() -> bus.inspect("wallet-tx").waitingForSession() == 1_000);
        bus.delete("wallet-tx");
        raw.until(() -> waiting.stream().allMatch(link -> link.getRemoteState() == EndpointState.CLOSED));
        assertThat(waiting)
                .allMatch(link -> String.valueOf(link.getRemoteCondition()).contains("amqp:not-found"));
    }
}
