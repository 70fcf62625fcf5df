package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.message.Message;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that only the receiver that has a session may make. */
@EmbeddedOnly("makes requests in the name of others, as the client library does not")
class SessionHolderTest extends BusTest {
    private static final String NODE = "wallet-tx/$management";

    private RawClient holder;
    private RawClient stranger;

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder().queue("wallet-tx", q -> q.requiresSession());
    }

    @BeforeEach
    void hold() {
        clients.sender("wallet-tx").sendMessages(List.of(Clients.message("a", "w1"), Clients.message("b", "w1")));
        var session = clients.session("wallet-tx", "w1");
        session.defer(Clients.receiveOne(session));
        session.close();
        holder = connected();
        stranger = connected();
        assertThat(holder.attachToSession(holder.newReceiver("mine"), "wallet-tx", "w1"))
                .isEqualTo("open");
        assertThat(holder.attachToSession(holder.newReceiver("another"), "wallet-tx", "w2"))
                .isEqualTo("open");
    }

    private RawClient connected() {
        RawClient client = clients.track(RawClient.connect(bus.port()));
        client.open();
        return client;
    }

    private static Map<String, Object> arguments(String operation) {
        Map<String, Object> arguments = new HashMap<>(Map.of("session-id", "w1"));
        switch (operation) {
            case "set-session-state" -> arguments.put("session-state", new Binary(new byte[] {1}));
            case "receive-by-sequence-number" -> arguments.put("sequence-numbers", List.of(1L));
            case "batch-delete-messages" -> arguments.put("message-count", 10);
            default -> {
                // The session's id says it all.
            }
        }
        return arguments;
    }

    private static Message ask(RawClient client, String operation, String... link) {
        Map<String, Object> properties = new HashMap<>(Map.of("operation", "com.microsoft:" + operation));
        if (link.length > 0) {
            properties.put("associated-link-name", link[0]);
        }
        return client.ask(NODE, properties, new AmqpValue(arguments(operation)));
    }

    private static void refused(Message answer) {
        Map<String, Object> properties = answer.getApplicationProperties().getValue();
        assertThat(properties)
                .containsEntry("statusCode", 410)
                .containsEntry("errorCondition", Symbol.valueOf("com.microsoft:session-lock-lost"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "renew-session-lock",
                "get-session-state",
                "set-session-state",
                "receive-by-sequence-number",
                "batch-delete-messages"
            })
    void a_session_answers_to_the_link_that_has_it_and_to_no_other(String operation) {
        refused(ask(stranger, operation));
        refused(ask(stranger, operation, "mine"));
        refused(ask(holder, operation, "another"));
        assertThat(bus.inspect("wallet-tx").active()).isEqualTo(1);
        assertThat(bus.inspect("wallet-tx").deferred()).isEqualTo(1);

        Message answer = ask(holder, operation, "mine");
        assertThat(answer.getApplicationProperties().getValue()).containsEntry("statusCode", 200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"renew-session-lock", "get-session-state", "set-session-state"})
    void a_request_that_names_no_link_counts_as_made_by_the_links_of_its_connection(String operation) {
        assertThat(ask(holder, operation).getApplicationProperties().getValue()).containsEntry("statusCode", 200);
    }
}
