package dev.waybill.servicebus.embedded.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.servicebus.embedded.config.Tier;
import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.fault.Faults;
import dev.waybill.servicebus.embedded.journal.Journals;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.loop.EventLoop;
import dev.waybill.servicebus.embedded.mailbox.BrokerContext;
import dev.waybill.servicebus.embedded.mailbox.Limits;
import dev.waybill.servicebus.embedded.security.Authority;
import dev.waybill.servicebus.embedded.transaction.OpenTransactions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.engine.Connection;
import org.apache.qpid.proton.engine.Link;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A connection that ends, or never begins, leaves nothing behind, whatever fails on the way. */
class ConnectionEndTest {
    private final EventLoop loop = new EventLoop("connection-end", new BrokerClock(InstantSource.system()));
    private final Broker broker = new Broker(
            loop,
            new Namespace(new BrokerContext(loop, new Journals(10), Limits.of(Tier.STANDARD))),
            new Faults(1, Runnable::run),
            new Authority(Map.of(), null),
            new Allowances(new Credits(loop.clock(), 0), new OpenTransactions()),
            null);
    private final List<String> told = new ArrayList<>();
    private ServerSocketChannel listener;
    private SocketChannel client;
    private SocketChannel accepted;

    @BeforeEach
    void connect() throws IOException {
        listener = ServerSocketChannel.open().bind(null);
        client = SocketChannel.open(listener.getLocalAddress());
        accepted = listener.accept();
        loop.start();
    }

    @AfterEach
    void end() throws IOException {
        loop.close();
        accepted.close();
        client.close();
        listener.close();
    }

    private <T> T onTheLoop(Supplier<T> task) {
        return loop.call(task);
    }

    private Link link(Connection client, String name, Runnable whenClosed) {
        Link link = client.session().receiver(name);
        link.setContext(new LinkHandler() {
            @Override
            public void closed() {
                told.add(name);
                whenClosed.run();
            }
        });
        return link;
    }

    private AmqpConnection connection() {
        try {
            accepted.configureBlocking(false);
            return new AmqpConnection(broker, accepted, new HashSet<>(), gone -> told.add("gone"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_connection_is_forgotten_and_all_its_links_although_one_of_them_fails_to_close() {
        onTheLoop(() -> {
            AmqpConnection connection = connection();
            Connection peer = Proton.connection();
            connection.links().add(link(peer, "fails", () -> {
                throw new IllegalStateException("planted");
            }));
            connection.links().add(link(peer, "holds", () -> {}));
            connection.drop();
            return connection.ended();
        });
        assertThat(told).containsExactly("gone", "fails", "holds");
        assertThat(accepted.isOpen()).isFalse();
    }

    @Test
    void a_link_that_the_engine_does_not_name_is_refused_instead_of_remembered() {
        assertThatThrownBy(() -> new OpenLinks(link -> {}).add(null)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_client_whose_connection_cannot_be_set_up_is_hung_up_on() throws IOException {
        AmqpServer server = onTheLoop(() -> {
            try {
                return new AmqpServer(broker, InetAddress.getLoopbackAddress(), 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        loop.close();
        assertThatThrownBy(() -> server.open(accepted)).isInstanceOf(RuntimeException.class);
        assertThat(accepted.isOpen()).isFalse();
        assertThat(server.connectionCount()).isZero();
    }
}
