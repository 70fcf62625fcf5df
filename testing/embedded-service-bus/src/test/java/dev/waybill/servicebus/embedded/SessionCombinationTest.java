package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.engine.Receiver;
import org.junit.jupiter.api.Test;

/** Sessions whose messages expire, are deleted in batches or come back while they change hands. */
class SessionCombinationTest extends BusTest {
    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .queue("wallet-tx", q -> q.requiresSession().lockDuration(Duration.ofMinutes(5)));
    }

    private void untilNobodyHasIt() {
        await().until(() -> bus.inspect("wallet-tx").sessions().stream()
                .map(Object::toString)
                .allMatch(Predicate.not(text -> text.contains("locked=true"))));
    }

    @Test
    void who_accepts_a_session_whose_last_message_expires_at_that_moment_really_has_it() {
        ServiceBusSenderClient sender = clients.sender("wallet-tx");
        sender.sendMessage(Clients.message("brief", "w1").setTimeToLive(Duration.ofMinutes(1)));
        ServiceBusReceiverClient first = clients.session("wallet-tx", "w1");
        Clients.receiveOne(first);
        first.close();
        untilNobodyHasIt();
        bus.advance(Duration.ofMinutes(2));

        ServiceBusReceiverClient second = clients.session("wallet-tx", "w1");
        sender.sendMessage(Clients.message("next", "w1"));
        assertThat(Clients.receiveOne(second).getMessageId()).isEqualTo("next");
        second.renewSessionLock();
    }

    @Test
    void a_session_keeps_its_state_when_its_messages_are_deleted_in_one_request() {
        ServiceBusSenderClient sender = clients.sender("wallet-tx");
        sender.sendMessage(Clients.message("a", "w1"));
        sender.sendMessage(Clients.message("b", "w1"));
        ServiceBusReceiverClient first = clients.session("wallet-tx", "w1");
        first.setSessionState(new byte[] {1, 2});
        first.close();
        RawClient raw = clients.track(RawClient.connect(bus.port()));
        raw.open();
        untilNobodyHasIt();
        bus.expireLocks("wallet-tx");
        raw.request("wallet-tx/$management", "batch-delete-messages", Map.of("message-count", 100));
        assertThat(bus.inspect("wallet-tx").active()).isZero();

        ServiceBusReceiverClient second = clients.session("wallet-tx", "w1");
        assertThat(second.getSessionState()).containsExactly(1, 2);
        sender.sendMessage(Clients.message("c", "w1"));
        assertThat(Clients.receiveOne(second).getMessageId()).isEqualTo("c");
    }

    @Test
    void who_asks_for_messages_and_a_drain_before_a_session_turns_up_gets_both() throws Exception {
        RawClient raw = clients.track(RawClient.connect(bus.port()));
        raw.open();
        Receiver next = raw.newReceiver("next");
        Source source = new Source();
        source.setAddress("wallet-tx");
        Map<Symbol, Object> anySession = new HashMap<>();
        anySession.put(Symbol.valueOf("com.microsoft:session-filter"), null);
        source.setFilter(anySession);
        next.setSource(source);
        next.setTarget(new Target());
        next.open();
        CompletableFuture<Integer> drained = CompletableFuture.supplyAsync(() -> raw.drain(next, 2));
        await().until(() -> bus.inspect("wallet-tx").waitingForSession() == 1);
        clients.sender("wallet-tx").sendMessage(Clients.message("a", "w1"));
        assertThat(drained.get(10, TimeUnit.SECONDS)).isEqualTo(1);
    }
}
