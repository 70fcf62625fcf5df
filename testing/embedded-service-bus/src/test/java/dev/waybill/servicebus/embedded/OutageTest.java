package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EmbeddedOnly("cuts connections and stops the broker")
class OutageTest extends BusTest {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder().queue("orders").queue("wallet-tx", q -> q.requiresSession());
    }

    @Test
    void during_an_outage_nobody_gets_through_and_afterwards_everything_is_as_before() {
        clients.sender("orders").sendMessage(Clients.message("before"));
        bus.suspend();
        assertThat(bus.connectionCount()).isZero();
        ServiceBusSenderClient shut = clients.track(clients.builder(0, Duration.ofSeconds(1))
                .sender()
                .queueName("orders")
                .buildClient());
        assertThatThrownBy(() -> shut.sendMessage(Clients.message("lost"))).isInstanceOf(Exception.class);
        bus.resume();
        clients.sender("orders").sendMessage(Clients.message("after"));
        assertThat(Clients.ids(Clients.receive(clients.receiver("orders"), 2))).containsExactly("before", "after");
    }

    @Test
    void resuming_without_an_outage_changes_nothing() {
        bus.resume();
        clients.sender("orders").sendMessage(Clients.message("m1"));
        assertThat(bus.inspect("orders").active()).isEqualTo(1);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void no_connection_of_somebody_else_leaves_from_the_port_during_an_outage() throws IOException {
        bus.suspend();
        try (var elsewhere = new Socket()) {
            var port = new InetSocketAddress(InetAddress.getLoopbackAddress(), bus.port());
            assertThatThrownBy(() -> elsewhere.bind(port)).isInstanceOf(BindException.class);
        }
        bus.resume();
        clients.sender("orders").sendMessage(Clients.message("m1"));
    }

    @Test
    void an_outage_of_no_time_at_all_ends() {
        for (int i = 0; i < 300; i++) {
            bus.suspend();
            bus.resume();
        }
        clients.sender("orders").sendMessage(Clients.message("m1"));
    }

    @Test
    void a_port_is_free_again_when_its_broker_has_been_closed() throws IOException {
        EmbeddedServiceBus closed = EmbeddedServiceBus.builder().queue("q").start();
        closed.close();
        try (var next = new Socket()) {
            next.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), closed.port()));
            assertThat(next.isBound()).isTrue();
        }
    }

    @Test
    void a_cut_connection_releases_its_sessions_at_once() {
        clients.sender("wallet-tx").sendMessage(Clients.message("a", "w1"));
        clients.session("wallet-tx", "w1");
        bus.dropConnections();
        ServiceBusReceiverClient again = clients.session("wallet-tx", "w1");
        assertThat(Clients.receiveOne(again).getMessageId()).isEqualTo("a");
    }

    @Test
    void a_cut_connection_keeps_the_locks_of_its_messages() {
        clients.sender("orders").sendMessage(Clients.message("a"));
        Clients.receiveOne(clients.receiver("orders"));
        bus.dropConnections();
        assertThat(bus.inspect("orders").locked()).isEqualTo(1);
    }

    @Test
    void a_port_that_is_taken_is_an_error_that_names_it() {
        assertThatThrownBy(() -> EmbeddedServiceBus.builder().port(bus.port()).start())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(String.valueOf(bus.port()));
    }

    @Test
    void a_closed_broker_says_so() {
        EmbeddedServiceBus closed = EmbeddedServiceBus.builder().queue("q").start();
        closed.close();
        closed.close();
        assertThatThrownBy(() -> closed.inspect("q"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void brokers_do_not_know_each_other() {
        try (EmbeddedServiceBus other =
                EmbeddedServiceBus.builder().queue("orders").start()) {
            clients.sender("orders").sendMessage(Clients.message("m1"));
            assertThat(other.inspect("orders").active()).isZero();
            assertThat(other.port()).isNotEqualTo(bus.port());
        }
    }
}
