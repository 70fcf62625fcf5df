package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.TokenCredential;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.azure.TestTokenCredential;
import dev.waybill.servicebus.embedded.security.AccessRight;
import dev.waybill.servicebus.embedded.security.TestTokens;
import dev.waybill.spring.InboxHandler;
import dev.waybill.spring.TestService;
import dev.waybill.spring.servicebus.ServiceBusConnections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** Services that reach a namespace with tokens in the place of a connection string. */
@ExtendWith(TestService.Extension.class)
class CredentialsTest {
    private static final TestTokens TOKENS = TestTokens.create();

    private TestService service;

    @BeforeEach
    void take(TestService service) {
        this.service = service;
    }

    private Apps app() {
        return Apps.on(service)
                .with("waybill.servicebus.connection-string", "")
                .with("waybill.relay.enabled", "false")
                .with("waybill.servicebus.namespace", "localhost");
    }

    @Test
    void a_service_publishes_and_receives_with_the_token_of_its_bean() throws Exception {
        try (EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
                        .queue("orders")
                        .testTokens(TOKENS)
                        .tls()
                        .start();
                var trusted = bus.tlsIdentity().trustInThisProcess();
                var context = app().and(WithAToken.class)
                        .with("waybill.servicebus.custom-endpoint-address", "https://localhost:" + bus.port())
                        .with("waybill.destinations.orders.sessions", "false")
                        .with("waybill.relay.enabled", "true")
                        .with("waybill.consumers.books.queue", "orders")
                        .with("waybill.consumers.books.drain", "2s")
                        .run()) {
            assertThat(trusted).isNotNull();
            context.getBean(TransactionTemplate.class)
                    .executeWithoutResult(status -> context.getBean(Outbox.class)
                            .append(OutboxMessage.to("orders")
                                    .id("by-token")
                                    .text("a")
                                    .build()));

            assertThat(context.getBean(WithAToken.class).handled.await(60, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(bus.journal("orders").storedCount()).isOne();
        }
    }

    /** Without azure-identity there is no other way than a bean. */
    @Test
    void a_namespace_without_azure_identity_and_a_bean_names_the_dependency() {
        var loader = new Hiding(List.of("com.azure.identity."));
        Apps app = app().and(Books.class).with("waybill.consumers.books.queue", "orders");

        assertThatThrownBy(() -> app.builder()
                        .resourceLoader(new DefaultResourceLoader(loader))
                        .run()
                        .close())
                .hasStackTraceContaining("needs the dependency com.azure:azure-identity")
                .hasStackTraceContaining("TokenCredential");
        assertThatCode(() -> build(app().and(OneCredential.class), loader)).doesNotThrowAnyException();
    }

    @Test
    void several_credentials_without_a_choice_are_refused_and_a_choice_is_taken() {
        assertThatThrownBy(() -> build(app().and(TwoCredentials.class)))
                .hasMessageContaining("several beans of type TokenCredential, [ofOrders, ofReports]")
                .hasMessageContaining("token-credential-bean-name");
        assertThatCode(() -> build(app().and(TwoCredentials.class)
                        .with("spring.cloud.azure.credential.token-credential-bean-name", "ofOrders")))
                .doesNotThrowAnyException();
        assertThatCode(() -> build(app().and(OneOfThemFirst.class))).doesNotThrowAnyException();
    }

    @Test
    @Tag("long")
    void the_service_principal_of_spring_cloud_azure_is_taken_over_or_what_is_missing_named() {
        Apps app = app().with("spring.cloud.azure.credential.client-secret", "secret")
                .with("spring.cloud.azure.credential.client-id", "shop");

        assertThatThrownBy(() -> build(app))
                .hasMessage("spring.cloud.azure.profile.tenant-id is missing beside"
                        + " spring.cloud.azure.credential.client-secret");
        assertThatCode(() -> build(app.with("spring.cloud.azure.profile.tenant-id", "tenant")))
                .doesNotThrowAnyException();
        assertThatCode(() -> build(app().with("spring.cloud.azure.credential.managed-identity-enabled", "true")))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> build(app().with("spring.cloud.azure.credential.password", "p")))
                .hasMessageContaining("takes no spring.cloud.azure.credential.password");
    }

    private static ServiceBusClientBuilder build(Apps app) {
        return build(app, CredentialsTest.class.getClassLoader());
    }

    private static ServiceBusClientBuilder build(Apps app, ClassLoader loader) {
        try (var context =
                app.builder().resourceLoader(new DefaultResourceLoader(loader)).run()) {
            return context.getBean(ServiceBusConnections.class).get();
        }
    }

    /** A service with a credential, and a handler. */
    @Configuration(proxyBeanMethods = false)
    static class WithAToken {
        final CountDownLatch handled = new CountDownLatch(1);

        @Bean
        TokenCredential credential() {
            return TestTokenCredential.of(TOKENS, AccessRight.SEND, AccessRight.LISTEN);
        }

        @InboxHandler(destination = "orders")
        void handle(String body) {
            handled.countDown();
        }
    }

    static class Books {
        @InboxHandler(destination = "orders")
        void handle(String body) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class OneCredential {
        @Bean
        TokenCredential own() {
            return request -> Mono.empty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoCredentials {
        @Bean
        TokenCredential ofOrders() {
            return request -> Mono.empty();
        }

        @Bean
        TokenCredential ofReports() {
            return request -> Mono.empty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneOfThemFirst {
        @Bean
        @Primary
        TokenCredential ofOrders() {
            return request -> Mono.empty();
        }

        @Bean
        TokenCredential ofReports() {
            return request -> Mono.empty();
        }
    }
}
