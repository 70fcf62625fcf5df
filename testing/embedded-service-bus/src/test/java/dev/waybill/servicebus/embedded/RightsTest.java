package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.core.exception.ClientAuthenticationException;
import com.azure.core.exception.HttpResponseException;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClient;
import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import dev.waybill.servicebus.embedded.azure.EmbeddedAdministrationPolicy;
import dev.waybill.servicebus.embedded.azure.TestTokenCredential;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import dev.waybill.servicebus.embedded.security.AccessRight;
import dev.waybill.servicebus.embedded.security.TestTokens;
import dev.waybill.servicebus.embedded.security.TlsIdentity;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rights that a key or a token gives its bearer, as Service Bus asks for them. */
@EmbeddedOnly("is about keys and test tokens of the embedded broker")
class RightsTest extends BusTest {
    private static final TestTokens TOKENS = TestTokens.create();

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder()
                .administrationPort(0)
                .queue("orders")
                .queue("other")
                .accessKey("all", "YWxs")
                .accessKey("in", "aW4=", AccessRight.SEND)
                .accessKey("out", "b3V0", AccessRight.LISTEN)
                .testTokens(TOKENS);
    }

    private ServiceBusClientBuilder with(String key) {
        return new ServiceBusClientBuilder()
                .connectionString(bus.connectionString(key))
                .retryOptions(new AmqpRetryOptions().setMaxRetries(0).setTryTimeout(Duration.ofSeconds(10)));
    }

    private static void unauthorized(ThrowingCallable call, String claim) {
        assertThatThrownBy(call)
                .hasStackTraceContaining("'" + claim + "' claim(s) are required to perform this operation")
                .satisfies(e -> assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.UNAUTHORIZED_ACCESS));
    }

    @Test
    void a_key_for_sending_sends_and_schedules_and_does_not_receive() {
        var sender = clients.track(with("in").sender().queueName("orders").buildClient());
        sender.sendMessage(Clients.message("m1"));
        long number = sender.scheduleMessage(
                Clients.message("m2"), OffsetDateTime.now(ZoneOffset.UTC).plusHours(1));
        sender.cancelScheduledMessage(number);
        var receiver = clients.track(with("in").receiver().queueName("orders").buildClient());

        unauthorized(() -> receiver.peekMessage(), "Listen");
        assertThatThrownBy(() -> Clients.receive(receiver, 1)).hasStackTraceContaining("'Listen' claim(s)");
        assertThat(bus.journal("orders").deliveries()).isEmpty();
    }

    @Test
    void a_key_for_receiving_receives_and_settles_and_does_not_send() {
        clients.track(with("in").sender().queueName("orders").buildClient()).sendMessage(Clients.message("m1"));
        var receiver = clients.track(with("out").receiver().queueName("orders").buildClient());
        ServiceBusReceivedMessage message = Clients.receiveOne(receiver);
        receiver.renewMessageLock(message);
        receiver.complete(message);
        var sender = clients.track(with("out").sender().queueName("orders").buildClient());

        unauthorized(() -> sender.sendMessage(Clients.message("m2")), "Send");
        unauthorized(
                () -> sender.scheduleMessage(
                        Clients.message("m2"),
                        OffsetDateTime.now(ZoneOffset.UTC).plusHours(1)),
                "Send");
        assertThat(bus.journal("orders").storedCount()).isEqualTo(1);
    }

    private ServiceBusAdministrationClient administration(String connectionString) {
        return new ServiceBusAdministrationClientBuilder()
                .connectionString(connectionString)
                .addPolicy(EmbeddedAdministrationPolicy.of(bus))
                .buildClient();
    }

    @Test
    void administration_needs_the_right_to_manage_and_says_401() {
        assertThat(administration(bus.connectionString("all"))
                        .getQueue("orders")
                        .getName())
                .isEqualTo("orders");
        administration(bus.connectionString("all")).createQueue("made");

        for (String key : new String[] {"in", "out"}) {
            is401(() -> administration(bus.connectionString(key)).getQueue("orders"));
            is401(() -> administration(bus.connectionString(key)).createQueue("another"));
        }
        is401(() -> administration(bus.connectionString("all").replace("YWxs", "d3Jvbmc="))
                .getQueue("orders"));
        assertThat(bus.inspect("made").active()).isZero();
    }

    private static void is401(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(ClientAuthenticationException.class)
                .isInstanceOfSatisfying(
                        HttpResponseException.class,
                        e -> assertThat(e.getResponse().getStatusCode()).isEqualTo(401));
    }

    @Test
    void a_token_is_good_for_its_path_its_time_and_its_rights() {
        RawClient raw = clients.track(RawClient.connect(bus.port()));
        raw.open();
        assertThat(put(raw, TOKENS.issueFor("orders", Duration.ofHours(1), AccessRight.SEND)))
                .isEqualTo(202);

        assertThat(raw.attach(raw.newSender("s1"), "orders", Map.of())).isEqualTo("open");
        assertThat(raw.attach(raw.newReceiver("r1"), "orders", Map.of())).contains("amqp:unauthorized-access");
        assertThat(raw.attach(raw.newSender("s2"), "other", Map.of())).contains("amqp:unauthorized-access");
    }

    @Test
    void a_token_that_is_over_or_signed_by_somebody_else_or_changed_is_401() {
        RawClient raw = clients.track(RawClient.connect(bus.port()));
        raw.open();
        String good = TOKENS.issue(Duration.ofHours(1), AccessRight.SEND);
        String payload = good.split("\\.", -1)[1];

        assertThat(put(raw, TOKENS.issue(Duration.ZERO, AccessRight.SEND))).isEqualTo(401);
        assertThat(put(raw, TestTokens.create().issue(Duration.ofHours(1), AccessRight.SEND)))
                .isEqualTo(401);
        assertThat(put(raw, good.replace(payload, payload.substring(0, payload.length() - 2))))
                .isEqualTo(401);
        assertThat(put(raw, "no token")).isEqualTo(401);
        assertThat(put(raw, good)).isEqualTo(202);
    }

    private static @Nullable Object put(RawClient raw, String token) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("operation", "put-token");
        properties.put("type", "jwt");
        properties.put("name", "sb://localhost/orders");
        return raw.ask("$cbs", properties, new AmqpValue(token))
                .getApplicationProperties()
                .getValue()
                .get("status-code");
    }

    @Test
    void the_client_library_presents_test_tokens_as_it_does_those_of_entra() {
        TestTokens tokens = TestTokens.create();
        try (EmbeddedServiceBus secure = EmbeddedServiceBus.builder()
                        .queue("orders")
                        .testTokens(tokens)
                        .tls()
                        .start();
                TlsIdentity.Trusted trusted = secure.tlsIdentity().trustInThisProcess();
                var sender = presenting(secure, tokens, AccessRight.SEND)
                        .sender()
                        .queueName("orders")
                        .buildClient();
                var listener = presenting(secure, tokens, AccessRight.LISTEN)
                        .sender()
                        .queueName("orders")
                        .buildClient();
                var stranger = presenting(secure, TestTokens.create(), AccessRight.SEND)
                        .sender()
                        .queueName("orders")
                        .buildClient()) {
            assertThat(trusted).isNotNull();
            sender.sendMessage(new ServiceBusMessage("x"));
            assertThat(secure.inspect("orders").active()).isEqualTo(1);
            unauthorized(() -> listener.sendMessage(new ServiceBusMessage("x")), "Send");
            assertThatThrownBy(() -> stranger.sendMessage(new ServiceBusMessage("x")))
                    .satisfies(
                            e -> assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.UNAUTHORIZED_ACCESS));
        }
    }

    private static ServiceBusClientBuilder presenting(EmbeddedServiceBus bus, TestTokens tokens, AccessRight right) {
        return new ServiceBusClientBuilder()
                .credential("localhost", TestTokenCredential.of(tokens, right))
                .customEndpointAddress("https://localhost:" + bus.port())
                .retryOptions(new AmqpRetryOptions().setMaxRetries(0).setTryTimeout(Duration.ofSeconds(10)));
    }

    private static String signed(String resource, String keyName, String secret) throws Exception {
        String encoded = URLEncoder.encode(resource, StandardCharsets.UTF_8);
        String end = String.valueOf(Instant.now().plusSeconds(3600).getEpochSecond());
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String signature = Base64.getEncoder()
                .encodeToString(mac.doFinal((encoded + "\n" + end).getBytes(StandardCharsets.UTF_8)));
        return "SharedAccessSignature sr=" + encoded + "&sig=" + URLEncoder.encode(signature, StandardCharsets.UTF_8)
                + "&se=" + end + "&skn=" + keyName;
    }

    @Test
    void a_signature_for_one_queue_cannot_be_widened_by_naming_another_resource_after_it() throws Exception {
        RawClient raw = clients.track(RawClient.connect(bus.port()));
        raw.open();
        String narrow = signed("sb://localhost/orders", "in", "aW4=");
        assertThat(put(raw, narrow)).isEqualTo(202);
        assertThat(put(raw, narrow + "&sr=" + URLEncoder.encode("sb://localhost/", StandardCharsets.UTF_8)))
                .isEqualTo(401);

        assertThat(raw.attach(raw.newSender("s1"), "orders", Map.of())).isEqualTo("open");
        assertThat(raw.attach(raw.newSender("s2"), "other", Map.of())).contains("amqp:unauthorized-access");
    }

    @Test
    void a_right_to_send_to_one_queue_is_none_to_send_through_it_to_another() {
        RawClient raw = clients.track(RawClient.connect(bus.port()));
        raw.open();
        put(raw, TOKENS.issueFor("orders", Duration.ofHours(1), AccessRight.SEND));

        assertThat(raw.sendVia("orders", "other", RawClient.message("m1"))).contains("amqp:unauthorized-access");
        assertThat(bus.inspect("other").active()).isZero();

        RawClient both = clients.track(RawClient.connect(bus.port()));
        both.open();
        put(both, TOKENS.issueFor("orders", Duration.ofHours(1), AccessRight.SEND));
        put(both, TOKENS.issueFor("other", Duration.ofHours(1), AccessRight.SEND));
        assertThat(both.sendVia("orders", "other", RawClient.message("m2"))).isEqualTo("accepted");
    }

    private int put(String forward, String token, String supplement) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + bus.administrationPort() + "/mine?api-version=2021-05"))
                .header("Authorization", token)
                .header("ServiceBusSupplementaryAuthorization", supplement)
                .PUT(HttpRequest.BodyPublishers.ofString(
                        "<entry><content><QueueDescription xmlns='http://schemas.microsoft.com/netservices/2010/10/servicebus/connect'><ForwardTo>"
                                + forward + "</ForwardTo></QueueDescription></content></entry>"))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void a_queue_forwards_only_to_one_that_its_creator_may_manage_too() throws Exception {
        String mine = TOKENS.issueFor("mine", Duration.ofHours(1), AccessRight.MANAGE);
        String other = TOKENS.issueFor("other", Duration.ofHours(1), AccessRight.MANAGE);
        String sends = TOKENS.issueFor("other", Duration.ofHours(1), AccessRight.SEND);
        assertThat(put("other", mine, mine)).isEqualTo(401);
        assertThat(put("sb://localhost/other", mine, sends)).isEqualTo(401);
        assertThat(put("sb://localhost/other", mine, other)).isEqualTo(201);
    }
}
