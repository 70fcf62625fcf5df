package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.journal.Stored;
import dev.waybill.spring.TestService;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

/** A service with a database for each tenant behind one data source. Each pool has one connection: a second one would never come. */
@ExtendWith(TestService.Extension.class)
class TenantsTest {
    private static @Nullable TenantDatabases shared;

    private TestService service;
    private TenantDatabases databases;
    private String queue;

    @BeforeEach
    void create(TestService service) {
        this.service = service;
        queue = service.newQueue();
        databases = new TenantDatabases(service.pool(), service.jdbcUrl(), service.schema(), 3);
        shared = databases;
    }

    @AfterEach
    void drop() {
        databases.close();
    }

    private Apps app() {
        return Apps.on(service)
                .and(Routed.class)
                .with("spring.flyway.enabled", "false")
                .with("waybill.tenants", String.join(",", databases.names()))
                .with("waybill.destinations." + queue + ".sessions", "true");
    }

    @Test
    void each_tenants_messages_are_appended_in_its_own_transaction_and_published_in_order() {
        try (var context = app().run()) {
            for (String id : List.of("m1", "m2", "m3")) {
                databases.names().forEach(tenant -> append(context, tenant, id));
            }
            assertThatThrownBy(() -> in("t1", context, outbox -> {
                        outbox.append(message("t1", "undone"));
                        throw new IllegalStateException("after the append");
                    }))
                    .hasMessage("after the append");

            awaitStored(9);
            databases
                    .names()
                    .forEach(tenant ->
                            assertThat(idsOf(tenant)).containsExactly(tenant + "-m1", tenant + "-m2", tenant + "-m3"));
            assertThat(state(context)).isEqualTo("running");
        }
    }

    @Test
    void a_message_that_another_process_has_appended_is_found_by_the_next_look() {
        try (var other = app().with("waybill.relay.enabled", "false").run();
                var context = app().with("waybill.relay.longest-idle", "1s").run()) {
            append(context, "t0", "m1");
            awaitStored(1);

            append(other, "t2", "m2");

            awaitStored(2);
        }
    }

    @Test
    void a_tenant_whose_database_is_away_delays_no_other_and_loses_nothing() {
        try (var other = app().with("waybill.relay.enabled", "false").run()) {
            append(other, "t1", "m1");
        }
        databases.takeAway("t1");
        try (var context = app().with("waybill.relay.longest-idle", "1s").run()) {
            append(context, "t0", "m2");
            append(context, "t2", "m3");
            awaitStored(2);
            await().untilAsserted(() -> assertThat(state(context)).startsWith("running; 1 of 3 tenants wait: t1 ("));
            assertThat(WaybillHealth.isUp(context.getBean(WaybillHealth.class).states()))
                    .isTrue();

            databases.bringBack("t1");

            awaitStored(3);
            await().untilAsserted(() -> assertThat(state(context)).isEqualTo("running"));
        }
    }

    @Test
    void a_scheduled_message_is_published_at_its_time() {
        try (var context = app().run()) {
            Instant soon = databases.in("t1", Duration.ofSeconds(3));
            in(
                    "t1",
                    context,
                    outbox -> outbox.append(OutboxMessage.to(queue)
                            .id("later")
                            .session("s")
                            .text("later")
                            .notBefore(soon)
                            .build()));

            awaitStored(1);
        }
    }

    @Test
    void idle_tenants_cost_few_queries_as_their_server_counts_them() throws Exception {
        var longest = Duration.ofMillis(500);
        var window = Duration.ofSeconds(8);
        try (var context = app().with("waybill.relay.longest-idle", longest.toMillis() + "ms")
                .run()) {
            append(context, "t0", "m1");
            awaitStored(1);
            Thread.sleep(2_000);
            var before = databases.transactions();
            Thread.sleep(window.toMillis());
            var after = databases.transactions();

            // Looks, each with the pool's check of its connection; the server tells with a delay of up to two of them.
            long most = 2 * (window.dividedBy(longest) + 2);
            after.forEach((tenant, count) ->
                    assertThat(count - before.get(tenant)).as(tenant).isBetween(2L, most));
        }
    }

    @Test
    void an_append_in_the_database_of_an_unlisted_tenant_is_refused() {
        try (var context = app().with("waybill.tenants", "t0,t1").run()) {
            append(context, "t0", "m1");
            append(context, "t1", "m2");
            awaitStored(2);

            assertThatThrownBy(() -> append(context, "t2", "m3"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(TenantDatabases.database("t2"))
                    .hasMessageContaining("belongs to none of waybill.tenants, [t0, t1]");
        }
    }

    @Test
    void what_tenants_cannot_have_stops_the_start_with_the_remedy() {
        assertThatThrownBy(() -> app().with("waybill.tenants", "t0,t7").run().close())
                .rootCause()
                .hasMessage("waybill.tenants names 't7', and the data source has the keys [t0, t1, t2]");
        assertThatThrownBy(() -> app().consuming(queue).run().close())
                .rootCause()
                .hasMessageContaining("waybill.outboxes.NAME with its data-source and consumers");
        assertThatThrownBy(() -> app().with("waybill.tenants", "").run().close())
                .hasStackTraceContaining("has none for threads without a tenant")
                .hasStackTraceContaining("List the tenants in waybill.tenants");
    }

    private void append(ConfigurableApplicationContext context, String tenant, String id) {
        in(tenant, context, outbox -> outbox.append(message(tenant, id)));
    }

    private OutboxMessage message(String tenant, String id) {
        return OutboxMessage.to(queue)
                .id(tenant + "-" + id)
                .session(tenant)
                .text(id)
                .build();
    }

    private interface Work {
        void with(Outbox outbox);
    }

    private static void in(String tenant, ConfigurableApplicationContext context, Work work) {
        TenantDatabases.TENANT.set(tenant);
        try {
            context.getBean(TransactionTemplate.class)
                    .executeWithoutResult(status -> work.with(context.getBean(Outbox.class)));
        } finally {
            TenantDatabases.TENANT.remove();
        }
    }

    private static String state(ConfigurableApplicationContext context) {
        return Objects.requireNonNull(
                context.getBean(WaybillHealth.class).states().get("relay"));
    }

    private List<String> idsOf(String session) {
        return service.bus().journal(queue).stored().stream()
                .filter(message -> session.equals(message.sessionId()))
                .map(Stored::messageId)
                .toList();
    }

    private void awaitStored(int count) {
        await().atMost(Duration.ofSeconds(40))
                .until(() -> service.bus().journal(queue).storedCount() == count);
    }

    @Configuration(proxyBeanMethods = false)
    static class Routed {
        @Bean
        DataSource tenants() {
            return Objects.requireNonNull(shared).routing();
        }
    }
}
