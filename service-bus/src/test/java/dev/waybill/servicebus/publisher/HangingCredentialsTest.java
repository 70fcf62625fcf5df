package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.core.amqp.AmqpTransportType;
import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.relay.Outcome;
import dev.waybill.relay.Publisher.Shipment;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.azure.TestTokenCredential;
import dev.waybill.servicebus.embedded.security.AccessRight;
import dev.waybill.servicebus.embedded.security.TestTokens;
import dev.waybill.servicebus.embedded.security.TlsIdentity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** Credentials that do not answer once, and do when they are asked anew. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HangingCredentialsTest {
    private enum Way {
        THE_BUILDER_DOES_NOT_RETURN,
        THE_CALL_FOR_A_TOKEN_DOES_NOT_RETURN,
        THE_TOKEN_NEVER_COMES
    }

    private static final TestTokens TOKENS = TestTokens.create();

    private final EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
            .queue("orders", queue -> queue)
            .testTokens(TOKENS)
            .tls()
            .start();
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final TlsIdentity.Trusted trusted = bus.tlsIdentity().trustInThisProcess();
    private volatile Way way = Way.THE_BUILDER_DOES_NOT_RETURN;
    private volatile boolean hanging = true;
    private final ServiceBusPublisher publisher =
            ServiceBusPublisher.of(this::connection).withSendDeadline(Duration.ofSeconds(2));

    @AfterEach
    void stop() {
        end.countDown();
        publisher.close();
        trusted.close();
        bus.close();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void a_destination_goes_on_once_credentials_answer_that_have_hung(Way way) throws Exception {
        this.way = way;

        assertThat(opened()).isFalse();
        hanging = false;

        // The first handshake of a JVM may take longer than this deadline.
        await().until(this::opened);
        assertThat(CompletableFuture.supplyAsync(() -> publisher.publish(new Shipment("orders", List.of(), () -> true)))
                        .thenCompose(stage -> stage)
                        .get(10, TimeUnit.SECONDS)
                        .outcome())
                .isEqualTo(Outcome.ACCEPTED);
    }

    @Test
    void credentials_that_never_answer_keep_few_threads() throws Exception {
        try (var patient = ServiceBusPublisher.of(this::connection).withSendDeadline(Duration.ofMillis(1))) {
            await().until(() -> {
                var sent = patient.publish(new Shipment("orders", List.of(), () -> true));
                return sent.toCompletableFuture().get(10, TimeUnit.SECONDS).outcome() == Outcome.UNAVAILABLE
                        && asked.get() == Connecting.MOST_THREADS;
            });
            for (int i = 0; i < 500; i++) {
                assertThat(patient.publish(new Shipment("orders", List.of(), () -> true))
                                .toCompletableFuture()
                                .get(10, TimeUnit.SECONDS)
                                .failure())
                        .hasMessageContaining("has not returned");
            }
            assertThat(asked).hasValue(Connecting.MOST_THREADS);

            hanging = false;
            end.countDown();

            await().until(() -> patient.publish(new Shipment("orders", List.of(), () -> true))
                            .toCompletableFuture()
                            .get(10, TimeUnit.SECONDS)
                            .outcome()
                    == Outcome.ACCEPTED);
        }
    }

    private ServiceBusClientBuilder connection() {
        asked.incrementAndGet();
        if (way == Way.THE_BUILDER_DOES_NOT_RETURN) {
            hang();
        }
        return new ServiceBusClientBuilder()
                .credential("localhost", credential())
                .customEndpointAddress("https://localhost:" + bus.port())
                .transportType(AmqpTransportType.AMQP_WEB_SOCKETS);
    }

    private TokenCredential credential() {
        TokenCredential good = TestTokenCredential.of(TOKENS, AccessRight.SEND);
        return new TokenCredential() {
            @Override
            public Mono<AccessToken> getToken(TokenRequestContext request) {
                if (way == Way.THE_CALL_FOR_A_TOKEN_DOES_NOT_RETURN) {
                    hang();
                }
                return hanging && way == Way.THE_TOKEN_NEVER_COMES ? Mono.never() : good.getToken(request);
            }
        };
    }

    private void hang() {
        while (hanging && end.getCount() > 0) {
            try {
                end.await();
            } catch (InterruptedException e) {
                // So do some libraries.
            }
        }
    }

    /** Whether a link could be opened, by a thread that must come back. */
    private boolean opened() throws Exception {
        return CompletableFuture.supplyAsync(() -> publisher.prepare("orders"))
                .thenCompose(stage -> stage)
                .handle((done, failure) -> failure == null)
                .get(10, TimeUnit.SECONDS);
    }
}
