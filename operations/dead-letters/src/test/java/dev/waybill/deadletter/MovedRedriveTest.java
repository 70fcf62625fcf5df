package dev.waybill.deadletter;

import static dev.waybill.deadletter.collect.DeadLetterFixture.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.deadletter.collect.DeadLetterFixture;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.relay.Relay;
import dev.waybill.servicebus.publisher.ServiceBusPublisher;
import java.util.Map;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Dead letters of a destination that has moved to another entity since, or before. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class MovedRedriveTest {
    private static final AuditContext WORD = new AuditContext("ada", "fixed in 1.2");

    private DeadLetterFixture fixture;

    @BeforeEach
    void start(TestDatabase database) {
        fixture = new DeadLetterFixture(
                database,
                bus -> bus.queue("orders", queue -> queue)
                        .queue("orders-2", queue -> queue)
                        .queue("orders-3", queue -> queue));
        fixture.served("orders");
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    @Tag("long")
    void letters_of_every_entity_that_a_destination_has_had_go_to_the_one_in_force() throws Exception {
        for (String entity : new String[] {"orders", "orders-2", "orders-3"}) {
            fixture.bury(entity, "r", message("of-" + entity, "body"));
            fixture.collect(fixture.deadLettersOf(entity));
        }
        moved("orders", "orders-2");
        moved("orders-2", "orders-3");
        Redrives redrives = Redrives.in(fixture.dsl, fixture.schema, 500);
        var order = RedriveRequest.toSource();

        RedrivePlan plan = redrives.plan(DeadLetterFilter.open(), order);
        assertThat(plan.obstacles()).isEmpty();
        assertThat(plan.destinations()).isEqualTo(Map.of("orders", 3L));
        redrives.redrive(DeadLetterFilter.open(), order, WORD);
        try (Relay relay = Relay.builder(fixture.database.dataSource())
                .schema(fixture.schema)
                .destination("orders")
                .publisher(ServiceBusPublisher.of(fixture::client))
                .build()) {
            relay.publishCommitted();
        }

        await().until(() -> fixture.bus.inspect("orders-3").active() == 3);
        assertThat(fixture.bus.inspect("orders").active()).isZero();
        assertThat(fixture.bus.inspect("orders-2").active()).isZero();
    }

    /** As with destination.orders.entity = orders-2, and a destination that has the name of that entity. */
    @Test
    void letters_go_back_to_the_destination_that_leads_to_their_entity_whatever_another_one_is_called()
            throws Exception {
        fixture.served("orders-2");
        fixture.dsl.execute(
                "insert into " + fixture.schema.table("relay") + " (id, name, alive_until, follows_entities, serving,"
                        + " destinations, states, since, details, places) values (gen_random_uuid(), 'r', 'infinity', true, '{}', '{}',"
                        + " '{}', '{}', '{}', '{\"orders\": \"localhost/orders-2\", \"orders-2\": \"localhost/orders-3\"}')");
        fixture.bury("orders-2", "r", message("m", "body"));
        fixture.collect(fixture.deadLettersOf("orders-2"));

        RedrivePlan plan =
                Redrives.in(fixture.dsl, fixture.schema, 500).plan(DeadLetterFilter.open(), RedriveRequest.toSource());

        assertThat(plan.destinations()).isEqualTo(Map.of("orders", 1L));
        assertThat(plan.obstacles()).isEmpty();
    }

    // As a migration leaves the row of the destination.
    private void moved(String from, String to) {
        int moved = fixture.dsl.execute(
                "update " + fixture.schema.table("outbox_destination")
                        + " set entity = {1}, entity_partitioned = false, switched_at = clock_timestamp(), epoch = epoch + 1,"
                        + " former_entities = array_append(former_entities, {0}) where destination = 'orders'",
                DSL.val(from),
                DSL.val(to));
        assertThat(moved).isEqualTo(1);
    }
}
