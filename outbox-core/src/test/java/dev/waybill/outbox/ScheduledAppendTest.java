package dev.waybill.outbox;

import static dev.waybill.schema.jooq.Tables.OUTBOX_MESSAGE;
import static dev.waybill.schema.jooq.Tables.OUTBOX_SCHEDULED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.message.Headers;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaName;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class ScheduledAppendTest {
    private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

    private final Outbox outbox;
    private final SchemaName schema;
    private final TestDatabase database;
    private final DSLContext dsl;

    ScheduledAppendTest(TestDatabase database) {
        this.database = database;
        schema = new SchemaName(database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all())));
        outbox = Outbox.builder().schema(schema).build();
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
    }

    @Test
    void a_scheduled_message_waits_beside_the_outbox_with_all_that_it_says() {
        var message = OutboxMessage.to("orders")
                .id("m1")
                .session("s")
                .subject("Subject")
                .correlationId("c")
                .toAddress("to")
                .replyTo("r")
                .replyToSession("rs")
                .timeToLive(Duration.ofSeconds(5))
                .scheduledEnqueueTime(LATER)
                .header("h", 1L)
                .text("body")
                .notBefore(LATER)
                .build();

        dsl.transaction(tx -> outbox.append(tx.dsl(), List.of(message, now("m2"))));

        var row = schema.in(dsl).selectFrom(OUTBOX_SCHEDULED).fetchSingle();
        assertThat(row.get(OUTBOX_SCHEDULED.DUE_AT)).isEqualTo("2100-01-01T00:00:00Z");
        assertThat(row.get(OUTBOX_SCHEDULED.SESSION_ID)).isEqualTo("s");
        assertThat(row.get(OUTBOX_SCHEDULED.SUBJECT)).isEqualTo("Subject");
        assertThat(row.get(OUTBOX_SCHEDULED.CORRELATION_ID)).isEqualTo("c");
        assertThat(row.get(OUTBOX_SCHEDULED.TO_ADDRESS)).isEqualTo("to");
        assertThat(row.get(OUTBOX_SCHEDULED.REPLY_TO)).isEqualTo("r");
        assertThat(row.get(OUTBOX_SCHEDULED.REPLY_TO_SESSION_ID)).isEqualTo("rs");
        assertThat(row.get(OUTBOX_SCHEDULED.TIME_TO_LIVE)).isEqualTo(5_000);
        assertThat(row.get(OUTBOX_SCHEDULED.SCHEDULED_ENQUEUE_TIME)).isEqualTo("2100-01-01T00:00:00Z");
        assertThat(row.get(OUTBOX_SCHEDULED.CONTENT_TYPE)).isEqualTo("text/plain; charset=utf-8");
        assertThat(row.get(OUTBOX_SCHEDULED.PAYLOAD)).asString().isEqualTo("body");
        assertThat(Headers.read(row.get(OUTBOX_SCHEDULED.HEADERS).data())).containsEntry("h", 1L);
        assertThat(appended()).containsExactly("m2");
    }

    /** Callers write "at once" as the first of all times. */
    @Test
    void a_message_that_is_due_before_all_time_is_due_at_once() {
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                OutboxMessage.to("orders").id("m1").notBefore(Instant.MIN).build()));

        assertThat(schema.in(dsl).selectFrom(OUTBOX_SCHEDULED).fetchSingle(OUTBOX_SCHEDULED.DUE_AT))
                .isBefore("2000-01-01T00:00:00Z");
    }

    @Test
    void every_column_of_a_message_can_wait() {
        String columns = """
                select column_name || ' ' || data_type || coalesce(character_maximum_length, 0) || is_nullable
                from information_schema.columns
                where table_schema = '%s' and table_name = '%s' and column_name <> all ('{id,due_at,seq}')
                """;

        assertThat(dsl.fetch(columns.formatted(schema, "outbox_scheduled")).getValues(0, String.class))
                .containsExactlyInAnyOrderElementsOf(
                        dsl.fetch(columns.formatted(schema, "outbox_message")).getValues(0, String.class));
    }

    @Test
    void a_rolled_back_transaction_schedules_nothing() {
        assertThatThrownBy(() -> dsl.transaction(tx -> {
                    outbox.append(tx.dsl(), later("m1"));
                    throw new IllegalStateException("business failure");
                }))
                .hasMessage("business failure");

        assertThat(scheduled()).isEmpty();
    }

    @Test
    void a_message_that_would_be_refused_when_it_is_due_is_refused_now() {
        var strict = Outbox.builder()
                .schema(schema)
                .destination(Destination.of("orders").withMaximumBytes(1_000))
                .build();

        assertThatThrownBy(() -> dsl.transaction(tx -> strict.append(
                        tx.dsl(),
                        OutboxMessage.to("orders")
                                .id("m")
                                .text("x".repeat(1_000))
                                .notBefore(LATER)
                                .build())))
                .isInstanceOf(InvalidMessageException.class);
        assertThatThrownBy(() -> outbox.append(dsl, later("m"))).isInstanceOf(NoTransactionException.class);
    }

    @Test
    void the_same_id_scheduled_again_takes_the_place_of_what_waits() {
        schedule("m1");
        schedule("m2");
        var again = OutboxMessage.to("orders")
                .id("m1")
                .text("changed")
                .notBefore(LATER.plusSeconds(60))
                .build();

        dsl.transaction(tx -> outbox.append(tx.dsl(), again));

        assertThat(scheduled()).containsExactly("m2", "m1");
        assertThat(schema.in(dsl).fetchValue(OUTBOX_SCHEDULED.PAYLOAD, OUTBOX_SCHEDULED.MESSAGE_ID.eq("m1")))
                .asString()
                .isEqualTo("changed");
        assertThat(schema.in(dsl).fetchValue(OUTBOX_SCHEDULED.DUE_AT, OUTBOX_SCHEDULED.MESSAGE_ID.eq("m1")))
                .isEqualTo("2100-01-01T00:01:00Z");
    }

    @Test
    void the_last_of_a_list_with_one_id_is_what_waits() {
        dsl.transaction(tx -> outbox.append(
                tx.dsl(),
                List.of(
                        later("m1"),
                        later("m2"),
                        OutboxMessage.to("orders")
                                .id("m1")
                                .text("last")
                                .notBefore(LATER)
                                .build())));

        assertThat(scheduled()).containsExactly("m2", "m1");
    }

    @Test
    void ids_of_different_destinations_are_different_messages() {
        schedule("m1");
        dsl.transaction(tx -> outbox.append(
                tx.dsl(), OutboxMessage.to("other").id("m1").notBefore(LATER).build()));

        assertThat(scheduled()).containsExactly("m1", "m1");
        assertThat(cancel("other", "m1")).isTrue();
        assertThat(scheduled()).containsExactly("m1");
    }

    @Test
    void an_append_at_once_leaves_the_scheduled_message_of_the_same_id_alone() {
        schedule("m1");
        dsl.transaction(tx -> outbox.append(tx.dsl(), now("m1")));

        assertThat(appended()).containsExactly("m1");
        assertThat(scheduled()).containsExactly("m1");
    }

    @Test
    void a_cancel_says_whether_it_was_in_time() {
        schedule("m1");

        assertThat(cancel("orders", "m1")).isTrue();
        assertThat(cancel("orders", "m1")).isFalse();
        assertThat(cancel("orders", "never scheduled")).isFalse();
        assertThat(scheduled()).isEmpty();
    }

    @Test
    void a_rolled_back_cancel_cancels_nothing() {
        schedule("m1");

        assertThatThrownBy(() -> dsl.transaction(tx -> {
                    assertThat(outbox.cancel(tx.dsl(), "orders", "m1")).isTrue();
                    throw new IllegalStateException("business failure");
                }))
                .hasMessage("business failure");

        assertThat(scheduled()).containsExactly("m1");
    }

    @Test
    void cancel_and_schedule_in_one_transaction_leave_the_new_one() {
        schedule("m1");

        dsl.transaction(tx -> {
            assertThat(outbox.cancel(tx.dsl(), "orders", "m1")).isTrue();
            outbox.append(tx.dsl(), later("m1"));
        });

        assertThat(scheduled()).containsExactly("m1");
    }

    @Test
    void a_cancel_for_a_destination_that_is_none_is_not_answered_as_too_late() {
        Outbox declared = Outbox.builder()
                .schema(schema)
                .destination(Destination.of("orders"))
                .build();

        assertThatThrownBy(() -> dsl.transaction(tx -> declared.cancel(tx.dsl(), "Orders", "m")))
                .hasMessageContaining("undeclared destination 'Orders'; declared are [orders]");
    }

    @Test
    void a_cancel_outside_a_transaction_is_refused() throws Exception {
        schedule("m1");

        assertThatThrownBy(() -> outbox.cancel(dsl, "orders", "m1")).isInstanceOf(NoTransactionException.class);
        try (Connection connection = database.dataSource().getConnection()) {
            assertThatThrownBy(() -> outbox.cancel(connection, "orders", "m1"))
                    .isInstanceOf(NoTransactionException.class);
        }
        assertThat(scheduled()).containsExactly("m1");
    }

    @Test
    void the_applications_role_schedules_replaces_and_cancels() throws Exception {
        String app = schema + "_scheduler";
        database.execute("create role " + app);
        database.execute(Role.APP.grants(schema, app, Feature.all()));
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            connection.createStatement().execute("set local role " + app);
            outbox.append(connection, later("m1"));
            outbox.append(connection, later("m1"));
            assertThat(outbox.cancel(connection, "orders", "m1")).isTrue();
            connection.rollback();
        } finally {
            database.execute("drop owned by " + app);
            database.execute("drop role " + app);
        }
    }

    private void schedule(String id) {
        dsl.transaction(tx -> outbox.append(tx.dsl(), later(id)));
    }

    private boolean cancel(String destination, String id) {
        return dsl.transactionResult(tx -> outbox.cancel(tx.dsl(), destination, id));
    }

    private static OutboxMessage later(String id) {
        return OutboxMessage.to("orders").id(id).session("s").notBefore(LATER).build();
    }

    private static OutboxMessage now(String id) {
        return OutboxMessage.to("orders").id(id).session("s").build();
    }

    private List<String> scheduled() {
        return schema.in(dsl)
                .select(OUTBOX_SCHEDULED.MESSAGE_ID)
                .from(OUTBOX_SCHEDULED)
                .orderBy(OUTBOX_SCHEDULED.ID)
                .fetch(OUTBOX_SCHEDULED.MESSAGE_ID);
    }

    private List<String> appended() {
        return schema.in(dsl)
                .select(OUTBOX_MESSAGE.MESSAGE_ID)
                .from(OUTBOX_MESSAGE)
                .orderBy(OUTBOX_MESSAGE.SEQ)
                .fetch(OUTBOX_MESSAGE.MESSAGE_ID);
    }
}
