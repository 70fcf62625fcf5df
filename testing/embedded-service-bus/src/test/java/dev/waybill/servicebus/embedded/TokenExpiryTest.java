package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.servicebus.embedded.azure.TestTokenCredential;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import dev.waybill.servicebus.embedded.security.AccessRight;
import dev.waybill.servicebus.embedded.security.TestTokens;
import dev.waybill.servicebus.embedded.security.TlsIdentity;
import java.time.Duration;
import java.util.Map;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Receiver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tokens that end while links are open. */
@EmbeddedOnly("issues test tokens, and speaks AMQP without the client library")
class TokenExpiryTest {
    private final TestTokens tokens = TestTokens.create();

    private void put(RawClient raw, Duration life, AccessRight... rights) {
        Map<String, Object> properties =
                Map.of("operation", "put-token", "type", "jwt", "name", "sb://localhost/orders");
        assertThat(raw.ask("$cbs", properties, new AmqpValue(tokens.issueFor("orders", life, rights)))
                        .getApplicationProperties()
                        .getValue()
                        .get("status-code"))
                .isEqualTo(202);
    }

    private static String endOf(RawClient raw, Link link) {
        raw.until(() -> link.getRemoteState() == EndpointState.CLOSED);
        return String.valueOf(link.getRemoteCondition());
    }

    @Test
    void links_whose_token_ends_are_taken_away_and_those_whose_token_was_renewed_stay() {
        try (EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
                        .queue("orders")
                        .testTokens(tokens)
                        .start();
                RawClient forgetful = RawClient.connect(bus.port());
                RawClient careful = RawClient.connect(bus.port())) {
            forgetful.open();
            careful.open();
            put(careful, Duration.ofSeconds(2), AccessRight.LISTEN);
            put(forgetful, Duration.ofSeconds(2), AccessRight.LISTEN, AccessRight.SEND);
            Receiver kept = careful.newReceiver("kept");
            careful.attach(kept, "orders", Map.of());
            put(careful, Duration.ofHours(1), AccessRight.LISTEN);
            Receiver lost = forgetful.newReceiver("lost");
            forgetful.attach(lost, "orders", Map.of());
            forgetful.send("orders", "m1");

            assertThat(endOf(forgetful, lost))
                    .contains("amqp:link:detach-forced")
                    .contains("The link 'lost' is force detached. Code: RenewToken.")
                    .contains("'Listen' claim(s) are required");
            assertThat(endOf(forgetful, forgetful.sender("orders"))).contains("'Send' claim(s) are required");
            assertThat(careful.drain(kept, 1)).isEqualTo(1);

            put(forgetful, Duration.ofHours(1), AccessRight.LISTEN);
            assertThat(forgetful.attach(forgetful.newReceiver("again"), "orders", Map.of()))
                    .isEqualTo("open");
        }
    }

    @Test
    @Tag("long")
    void the_client_library_sends_on_when_its_first_token_has_ended() {
        Duration life = Duration.ofSeconds(3);
        try (EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
                        .queue("orders")
                        .testTokens(tokens)
                        .tls()
                        .start();
                TlsIdentity.Trusted trusted = bus.tlsIdentity().trustInThisProcess();
                var sender = client(bus, life).sender().queueName("orders").buildClient()) {
            assertThat(trusted).isNotNull();
            long end = System.nanoTime() + life.toNanos();
            int sent = 0;
            while (System.nanoTime() < end) {
                sender.sendMessage(Clients.message("m" + sent++));
            }
            assertThat(bus.inspect("orders").active()).isGreaterThanOrEqualTo(sent);
        }
    }

    private ServiceBusClientBuilder client(EmbeddedServiceBus bus, Duration life) {
        return new ServiceBusClientBuilder()
                .credential("localhost", TestTokenCredential.of(tokens, life, AccessRight.SEND))
                .customEndpointAddress("https://localhost:" + bus.port());
    }
}
