package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusMessageBatch;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.servicebus.embedded.config.TopicOptions;
import dev.waybill.servicebus.embedded.entity.EntitySnapshot;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultHandle;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import dev.waybill.servicebus.embedded.message.AmqpCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLContext;
import org.apache.qpid.proton.amqp.UnknownDescribedType;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The broker serves the other clients, whatever one of them does. */
@EmbeddedOnly("speaks bytes that no client library would send")
class RobustnessTest extends BusTest {
    private static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
    private static final byte[] AMQP_HEADER = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
    private static final long RANDOM_SEED = System.nanoTime();

    private final List<Socket> sockets = new ArrayList<>();

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder().queue("orders").queue("wallet-tx", q -> q.requiresSession());
    }

    @AfterEach
    void othersAreStillServed() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        int before = bus.journal("orders").storedCount();
        clients.sender("orders").sendMessage(Clients.message("still here"));
        assertThat(bus.journal("orders").storedCount()).isEqualTo(before + 1);
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), bus.port());
        socket.setSoTimeout(20_000);
        sockets.add(socket);
        return socket;
    }

    private static void write(Socket socket, byte[]... parts) throws IOException {
        for (byte[] part : parts) {
            socket.getOutputStream().write(part);
        }
        socket.getOutputStream().flush();
    }

    private static byte[] frame(int size, int offset, int type, byte[] body) {
        return ByteBuffer.allocate(8 + body.length)
                .putInt(size)
                .put((byte) offset)
                .put((byte) type)
                .putShort((short) 0)
                .put(body)
                .array();
    }

    /** The broker ends the connection: the client reads to the end, or is told that it is reset. */
    private static void isClosed(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }

    @Test
    void text_on_the_socket_is_answered_by_closing_it() throws IOException {
        Socket socket = connect();
        write(socket, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        isClosed(socket);
        await().until(() -> bus.connectionCount() == 0);
    }

    @Test
    void a_frame_larger_than_agreed_is_answered_by_closing_the_connection() throws IOException {
        Socket socket = connect();
        write(socket, AMQP_HEADER, frame(Integer.MAX_VALUE, 2, 0, new byte[64]));
        isClosed(socket);
    }

    @Test
    void a_frame_smaller_than_its_own_header_is_answered_by_closing_the_connection() throws IOException {
        Socket socket = connect();
        write(socket, AMQP_HEADER, frame(3, 2, 0, new byte[64]));
        isClosed(socket);
    }

    @Test
    void a_frame_whose_body_is_nonsense_is_answered_by_closing_the_connection() throws IOException {
        Socket socket = connect();
        byte[] nonsense = new byte[32];
        Arrays.fill(nonsense, (byte) 0xEE);
        write(socket, AMQP_HEADER, frame(8 + nonsense.length, 2, 0, nonsense));
        isClosed(socket);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 2, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void a_heartbeat_of_any_length_that_a_client_asks_for_holds_nobody_up(int millis) throws IOException {
        Socket socket = connect();
        byte[] open = AmqpCodec.encode(new UnknownDescribedType(
                UnsignedLong.valueOf(0x10),
                Arrays.asList("c", "localhost", null, null, UnsignedInteger.valueOf(millis))));
        write(socket, AMQP_HEADER, frame(8 + open.length, 2, 0, open));
        assertThat(socket.getInputStream().readNBytes(16)).hasSize(16);
        othersAreStillServed();
    }

    @Test
    void values_nested_without_a_bottom_end_their_connection_and_nothing_else() throws IOException {
        byte[] descriptions = new byte[50_000];
        Socket socket = connect();
        write(socket, AMQP_HEADER, frame(8 + descriptions.length, 2, 0, descriptions));
        isClosed(socket);
    }

    @Test
    void a_request_that_is_no_message_is_rejected_and_the_next_one_is_answered() {
        RawClient client = clients.track(RawClient.connect(bus.port()));
        client.open();
        assertThat(client.sendBytes("orders/$management", new byte[] {0, 0x53, 0x77, 0, 0, 0}))
                .contains("amqp:decode-error");
        assertThat(client.sendBytes("orders/$management", RawClient.message("m")))
                .isEqualTo("accepted");
    }

    @Test
    void a_truncated_frame_holds_nobody_up() throws IOException {
        Socket socket = connect();
        write(socket, SASL_HEADER, frame(1000, 2, 1, new byte[10]));
        othersAreStillServed();
        socket.close();
        await().until(() -> bus.connectionCount() <= 1);
    }

    @Test
    void a_client_that_says_nothing_holds_nobody_up() throws IOException {
        for (int i = 0; i < 50; i++) {
            connect();
        }
        await().until(() -> bus.connectionCount() == 50);
        othersAreStillServed();
    }

    @Test
    void a_client_whose_connection_cannot_be_set_up_is_hung_up_on() throws Exception {
        SSLContext neverInitialised = SSLContext.getInstance("TLS");
        try (EmbeddedServiceBus unable =
                        EmbeddedServiceBus.builder().tls(neverInitialised).start();
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), unable.port())) {
            socket.setSoTimeout(10_000);
            isClosed(socket);
            assertThat(unable.connectionCount()).isZero();
        }
    }

    @Test
    void a_topic_whose_subscriptions_all_forward_back_to_it_ends_with_a_bounded_number_of_copies() {
        int subscriptions = 25;
        EmbeddedServiceBusBuilder description = EmbeddedServiceBus.builder().topic("echo", t -> {
            TopicOptions echo = t;
            for (int i = 0; i < subscriptions; i++) {
                echo = echo.subscription("s" + i, s -> s.forwardTo("echo"));
            }
            return echo;
        });
        try (EmbeddedServiceBus loops = description.start();
                RawClient client = RawClient.connect(loops.port())) {
            client.open();
            client.send("echo", "m1");
            int copies = 0;
            for (int i = 0; i < subscriptions; i++) {
                EntitySnapshot subscription = loops.inspect("echo/Subscriptions/s" + i);
                copies += subscription.deadLetters() + subscription.transferDeadLetters();
            }
            assertThat(copies).isBetween(1_000, 200_000);
        }
    }

    @Test
    void random_bytes_never_harm_the_others() throws IOException {
        for (long seed : new long[] {4711, RANDOM_SEED}) {
            Random random = new Random(seed);
            for (int i = 0; i < 100; i++) {
                abuse(random, i);
            }
        }
        sockets.clear();
        await().atMost(Duration.ofSeconds(30)).alias("seed " + RANDOM_SEED).until(() -> bus.connectionCount() == 0);
    }

    private void abuse(Random random, int round) throws IOException {
        try (Socket socket = connect()) {
            byte[] bytes = new byte[1 + random.nextInt(2000)];
            random.nextBytes(bytes);
            int kind = round % 4;
            if (kind == 1) {
                write(socket, AMQP_HEADER);
            } else if (kind == 2) {
                write(socket, SASL_HEADER);
            } else if (kind == 3) {
                write(socket, AMQP_HEADER, frame(8 + bytes.length, 2, random.nextInt(3), bytes));
            }
            write(socket, bytes);
        } catch (SocketException closedByTheBroker) {
            assertThat(closedByTheBroker).isNotNull();
        }
    }

    @Test
    void three_hundred_connections_are_served() {
        List<ServiceBusSenderClient> senders = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            senders.add(clients.sender("orders"));
        }
        senders.get(0).sendMessage(Clients.message("first"));
        List<RawClient> raw = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            RawClient client = clients.track(RawClient.connect(bus.port()));
            client.open();
            raw.add(client);
        }
        await().until(() -> bus.connectionCount() > 300);
        raw.forEach(client -> client.send("orders", "m"));
        assertThat(bus.journal("orders").stored()).hasSize(301);
    }

    @Test
    void a_receiver_that_grants_no_credit_gets_nothing_and_takes_nothing_from_others() {
        RawClient miser = clients.track(RawClient.connect(bus.port()));
        miser.open();
        miser.receiver("orders", 0);
        clients.sender("orders").sendMessage(Clients.message("m1"));
        assertThat(Clients.receiveOne(clients.receiver("orders")).getMessageId())
                .isEqualTo("m1");
    }

    @Test
    void a_receiver_that_never_settles_loses_its_locks_and_others_get_the_messages() {
        RawClient hoarder = clients.track(RawClient.connect(bus.port()));
        hoarder.open();
        hoarder.receiver("orders", 1000);
        clients.sender("orders").sendMessages(List.of(Clients.message("a"), Clients.message("b")));
        await().until(() -> bus.inspect("orders").locked() == 2);
        int connected = bus.connectionCount();
        hoarder.close();
        await().until(() -> bus.connectionCount() < connected);
        bus.expireLocks("orders");
        assertThat(Clients.ids(Clients.receive(clients.receiver("orders"), 2))).containsExactly("a", "b");
    }

    @Test
    void a_client_that_goes_in_the_middle_of_a_transfer_leaves_nothing_behind() {
        RawClient client = RawClient.connect(bus.port());
        client.open();
        client.sendHalf("orders", 200 * 1024);
        client.cut();
        await().until(() -> bus.connectionCount() == 0);
        assertThat(bus.journal("orders").stored()).isEmpty();
    }

    @Test
    void a_message_without_end_is_cut_off_at_the_limit() {
        RawClient client = clients.track(RawClient.connect(bus.port()));
        client.open();
        assertThat(client.sendHalf("orders", 8 * 1024 * 1024)).contains("message-size-exceeded");
        assertThat(bus.journal("orders").stored()).isEmpty();
    }

    @Test
    void a_transfer_that_is_no_message_is_rejected_with_a_reason() {
        RawClient client = clients.track(RawClient.connect(bus.port()));
        client.open();
        assertThat(client.sendBytes("orders", new byte[] {1, 2, 3})).contains("amqp:invalid-field");
        assertThat(bus.journal("orders").stored()).isEmpty();
    }

    @Test
    void random_transfers_are_stored_or_rejected_and_nothing_else() {
        RawClient client = clients.track(RawClient.connect(bus.port()));
        client.open();
        for (long seed : new long[] {99, RANDOM_SEED}) {
            Random random = new Random(seed);
            for (int i = 0; i < 300; i++) {
                byte[] bytes = RawClient.message("m" + i);
                for (int flips = random.nextInt(6); flips >= 0; flips--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
                assertThat(client.sendBytes("orders", bytes))
                        .as("seed %s", RANDOM_SEED)
                        .matches("accepted|rejected.*");
            }
        }
    }

    @Test
    void the_receivers_of_a_connection_go_with_it() {
        List<RawClient> hundred = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            RawClient client = clients.track(RawClient.connect(bus.port()));
            client.open();
            client.receiver("orders", 10);
            hundred.add(client);
        }
        assertThat(bus.inspect("orders").receivers()).isEqualTo(100);
        hundred.forEach(RawClient::cut);
        await().until(() -> bus.inspect("orders").receivers() == 0 && bus.connectionCount() == 0);
    }

    @Test
    void an_attach_held_back_until_its_client_has_gone_leads_nowhere() throws Exception {
        FaultHandle fault = bus.faults()
                .at(FaultPoint.ATTACH)
                .entity("wallet-tx")
                .times(1)
                .then(FaultAction.delay(Duration.ofMillis(200)));
        RawClient client = RawClient.connect(bus.port());
        client.open();
        client.acceptNextSession("wallet-tx");
        assertThat(fault.awaitHits(1, Clients.LONG)).isTrue();
        client.cut();
        await().until(() -> bus.connectionCount() == 0);
        clients.sender("wallet-tx").sendMessage(Clients.message("m1", "w1"));
        await().during(Duration.ofMillis(400))
                .until(() -> bus.inspect("wallet-tx").receivers() == 0);
        assertThat(Clients.receiveOne(clients.session("wallet-tx", "w1")).getMessageId())
                .isEqualTo("m1");
    }

    @Test
    void a_waiting_session_request_goes_with_its_client() {
        RawClient client = RawClient.connect(bus.port());
        client.open();
        client.acceptNextSession("wallet-tx");
        await().until(() -> bus.inspect("wallet-tx").waitingForSession() == 1);
        client.cut();
        await().until(() -> bus.inspect("wallet-tx").waitingForSession() == 0);
    }

    @Test
    void a_batch_as_large_as_the_link_allows_is_stored() {
        ServiceBusSenderClient sender = clients.sender("orders");
        ServiceBusMessageBatch batch = sender.createMessageBatch();
        int count = 0;
        while (batch.tryAddMessage(new ServiceBusMessage(new byte[1000]))) {
            count++;
        }
        sender.sendMessages(batch);
        assertThat(bus.journal("orders").stored()).hasSize(count);
        assertThat(count).isGreaterThan(200);
    }

    @Test
    void a_thousand_messages_asked_for_at_once_arrive() {
        ServiceBusSenderClient sender = clients.sender("orders");
        for (int i = 0; i < 10; i++) {
            List<ServiceBusMessage> hundred = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
                hundred.add(Clients.message("m" + (i * 100 + j)));
            }
            sender.sendMessages(hundred);
        }
        ServiceBusReceiverClient receiver = clients.receiver("orders");
        assertThat(Clients.receive(receiver, 1000)).hasSize(1000);
    }
}
