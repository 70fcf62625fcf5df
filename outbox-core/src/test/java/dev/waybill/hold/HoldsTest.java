package dev.waybill.hold;

import static dev.waybill.hold.HoldFixture.BY_ANNA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.HeldMessage.Origin;
import dev.waybill.message.Headers;
import dev.waybill.message.MessageContent;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Role;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class HoldsTest {
    private TestDatabase database;
    private HoldFixture fixture;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        fixture = new HoldFixture(database);
    }

    @Test
    void a_session_and_a_message_never_share_a_hold_whatever_their_names() {
        HoldKey[] keys = {
            HoldKey.session(HoldSide.INBOX, "ledger", "a"),
            HoldKey.session(HoldSide.INBOX, "ledger", "-/a"),
            HoldKey.session(HoldSide.INBOX, "ledger", "1:a"),
            HoldKey.session(HoldSide.INBOX, "ledger", "a/b"),
            HoldKey.session(HoldSide.INBOX, "ledger", "𝄞"),
            HoldKey.message(HoldSide.INBOX, "ledger", null, "a"),
            HoldKey.message(HoldSide.INBOX, "ledger", "a", "b"),
            HoldKey.message(HoldSide.INBOX, "ledger", "a", "a"),
            HoldKey.session(HoldSide.INBOX, "fraud", "a"),
            HoldKey.session(HoldSide.OUTBOX, "ledger", "a")
        };
        fixture.dsl.transaction(tx -> {
            for (HoldKey key : keys) {
                HoldTable table = HoldTable.in(fixture.schema, key.side());
                fixture.add(tx.dsl(), table, table.park(tx.dsl(), key, HoldFixture.REFUSED), key.text());
            }
        });

        assertThat(fixture.holds.list()).hasSize(keys.length - 1);
        for (HoldKey key : keys) {
            if (key.side() == HoldSide.INBOX) {
                assertThat(fixture.holds.show(key))
                        .hasValueSatisfying(hold -> assertThat(hold.key()).isEqualTo(key));
                assertThat(fixture.ids(key)).containsExactly(key.text());
            }
        }
    }

    @Test
    void a_message_comes_out_of_the_hold_as_it_went_in() {
        var properties = new LinkedHashMap<String, Object>();
        properties.put("text", "ü\0\"");
        properties.put("long", 7L);
        properties.put("int", 7);
        properties.put("short", (short) 7);
        properties.put("byte", (byte) 7);
        properties.put("double", 1.5);
        properties.put("float", 1.5f);
        properties.put("boolean", true);
        properties.put("char", 'x');
        properties.put("time", Instant.parse("2026-01-02T03:04:05.678Z"));
        properties.put("duration", Duration.ofMillis(1_500));
        properties.put("uri", URI.create("urn:isbn:0"));
        properties.put("offset time", OffsetDateTime.parse("2026-01-02T03:04:05.678+02:00"));
        properties.put("uuid", UUID.fromString("00000000-0000-0000-0000-000000000001"));
        var content = MessageContent.builder("id")
                .brokerMessageId("id~broker")
                .sessionId("s")
                .partitionKey("s")
                .subject("subject")
                .contentType("text/plain")
                .correlationId("correlation")
                .toAddress("to")
                .replyTo("reply")
                .replyToSessionId("reply-session")
                .timeToLive(Duration.ofMillis(1_234))
                .scheduledEnqueueTime(Instant.parse("2026-01-02T03:04:05.678Z"))
                .headers(Headers.write(properties))
                .body(new byte[] {0, 1, (byte) 255})
                .build();
        var origin = new Origin(42, Instant.parse("2026-01-02T03:04:05.678901Z"), 3);
        HoldKey key = HoldFixture.session("s");

        fixture.dsl.transaction(tx ->
                fixture.table.add(tx.dsl(), fixture.table.park(tx.dsl(), key, HoldFixture.REFUSED), origin, content));

        HeldMessage held = fixture.holds.messages(key, 10).get(0);
        assertThat(held.origin()).isEqualTo(origin);
        assertThat(held.content()).usingRecursiveComparison().isEqualTo(content);
        assertThat(held.content().properties()).isEqualTo(properties);
    }

    @Test
    void bytes_among_the_properties_come_out_as_they_went_in() {
        String text = Headers.write(Map.of("bytes", new byte[] {0, (byte) 255}));

        assertThat((byte[]) Headers.read(text).get("bytes")).containsExactly(0, 255);
        assertThatThrownBy(() -> Headers.write(Map.of("thing", new Object()))).hasMessageContaining("'thing'");
    }

    @Test
    void what_is_added_twice_is_held_once() {
        HoldKey key = fixture.parked("s", "m1", "m2");

        fixture.dsl.transaction(tx -> fixture.join(tx.dsl(), key, "m1"));

        assertThat(fixture.ids(key)).containsExactly("m1", "m2");
    }

    @Test
    void a_message_that_joins_while_the_last_one_is_taken_out_is_not_left_behind() throws Exception {
        HoldKey key = fixture.parked("s", "m1");
        long place = fixture.holds.messages(key, 1).get(0).place();
        try (Connection operator = database.dataSource().getConnection()) {
            operator.setAutoCommit(false);
            var tx = fixture.schema.in(DSL.using(operator, SQLDialect.POSTGRES));
            fixture.table.lock(tx, key);
            CompletableFuture<Void> joins = CompletableFuture.runAsync(
                    () -> fixture.dsl.transaction(inner -> fixture.join(inner.dsl(), key, "m2")));
            awaitSomebodyWhoWaits();
            tx.execute("delete from " + fixture.schema.table("inbox_held_message") + " where place = " + place);
            tx.execute("delete from " + fixture.schema.table("inbox_hold"));
            operator.commit();

            joins.get(10, TimeUnit.SECONDS);
        }

        assertThat(fixture.ids(key)).containsExactly("m2");
        assertThat(fixture.holds.show(key))
                .hasValueSatisfying(hold -> assertThat(hold.state()).isEqualTo(HoldState.RETRYING));
        assertThat(fixture.begin()).hasSize(1);
    }

    @Test
    void a_message_that_joins_a_parked_hold_does_not_release_it() {
        HoldKey key = fixture.parked("s", "m1");

        fixture.dsl.transaction(tx -> fixture.join(tx.dsl(), key, "m2"));

        assertThat(fixture.begin()).isEmpty();
        assertThat(fixture.ids(key)).containsExactly("m1", "m2");
    }

    @Test
    void every_change_leaves_its_operator_its_reason_and_what_was_before() {
        HoldKey key = fixture.parked("s", "m1", "m2");
        long first = fixture.holds.messages(key, 1).get(0).place();

        fixture.holds.edit(key, first, content -> content.withBody(new byte[] {7}), BY_ANNA);
        fixture.holds.retry(key, Duration.ofHours(1), BY_ANNA);
        fixture.holds.skip(key, first, BY_ANNA);
        fixture.holds.release(key, BY_ANNA);

        assertThat(fixture.holds.history(key))
                .extracting(AuditEntry::action)
                .containsExactly("edit", "retry", "skip", "release");
        assertThat(fixture.holds.history(key)).allSatisfy(entry -> {
            assertThat(entry.instruction()).isEqualTo(BY_ANNA);
            assertThat(entry.before()).isNotNull();
        });
        assertThat(fixture.holds.history(key).get(0).before()).contains("\\\\x6d31");
        assertThat(fixture.holds.history(key).get(0).after()).contains("\\\\x07");
        assertThat(fixture.holds.history(key).get(2).after()).isNull();
        assertThat(fixture.skipped).containsExactly("m1");
    }

    @Test
    void an_operator_without_a_reason_or_a_name_is_refused() {
        assertThatThrownBy(() -> new AuditContext("anna", " ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new AuditContext("", "because")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void an_edit_that_changes_the_id_or_breaks_the_properties_is_refused_and_changes_nothing() {
        HoldKey key = fixture.parked("s", "m1");
        HeldMessage message = fixture.holds.messages(key, 1).get(0);

        assertThatThrownBy(() -> fixture.holds.edit(
                        key, message.place(), content -> MessageContent.of("other", null, new byte[0]), BY_ANNA))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(fixture.ids(key)).containsExactly("m1");
        assertThat(fixture.holds.history(key)).isEmpty();
    }

    @Test
    void an_edit_obeys_the_limits_of_an_append() {
        HoldKey key = fixture.parked("s", "m1");
        long place = fixture.holds.messages(key, 1).get(0).place();
        Map<Map<String, Object>, String> odd = Map.of(
                Map.of("p", "x".repeat(33 * 1024)), "32768",
                Map.of("p", "\u6f22".repeat(10_000), "q", "\u6f22".repeat(10_900)), "63488",
                Map.of("Tenant", 1L, "tenant", 2L), "does not tell apart",
                Map.of("p", "a\ud83d"), "header 'p'",
                Map.of("p", "a\0b"), "NUL",
                Map.of("p", Instant.MAX), "9999",
                Map.of("Waybill-Claim", "x"), "Waybill-Claim");

        odd.forEach((properties, said) -> assertThatThrownBy(
                        () -> fixture.holds.edit(key, place, content -> content.withProperties(properties), BY_ANNA))
                .as(said)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(said));
        for (String subject : new String[] {"\ud83d", "a\0b", "x".repeat(64 * 1024)}) {
            assertThatThrownBy(() -> fixture.holds.edit(
                            key,
                            place,
                            content -> content.toBuilder().subject(subject).build(),
                            BY_ANNA))
                    .isInstanceOf(IllegalArgumentException.class);
        }

        assertThat(fixture.holds.history(key)).isEmpty();
    }

    @Test
    void a_body_that_would_be_stored_as_another_is_refused() {
        HoldKey key = fixture.parked("s", "m1");
        HeldMessage message = fixture.holds.messages(key, 1).get(0);
        String misread = "&preferQueryMode=simple&options=-c%20standard_conforming_strings=off";
        try (var pool = PostgresServer.pool(database.server().jdbcUrl() + misread, 1)) {
            Holds there = Holds.ofInbox(pool, fixture.schema, (tx, hold, skipped) -> {});
            assertThatThrownBy(() ->
                            there.edit(key, message.place(), content -> content.withBody(new byte[] {'\\'}), BY_ANNA))
                    .hasStackTraceContaining("standard_conforming_strings");
        }

        assertThat(fixture.holds.messages(key, 1).get(0).content().body())
                .isEqualTo(message.content().body());
        assertThat(fixture.holds.history(key)).isEmpty();
    }

    @Test
    void a_skipped_last_message_ends_the_hold() {
        HoldKey key = fixture.parked("s", "m1");

        fixture.holds.skip(key, fixture.holds.messages(key, 1).get(0).place(), BY_ANNA);

        assertThat(fixture.holds.show(key)).isEmpty();
        assertThatThrownBy(() -> fixture.holds.release(key, BY_ANNA)).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void a_hold_whose_only_message_is_skipped_ends_without_a_release() {
        HoldKey key = fixture.parked("s", "m1");

        fixture.holds.skipFirst(HoldFilter.everything(), BY_ANNA);

        assertThat(fixture.holds.show(key)).isEmpty();
        assertThat(fixture.holds.history(key)).extracting(AuditEntry::action).containsExactly("skip");
    }

    @Test
    void a_place_that_is_empty_does_not_stand_for_the_message_behind_it() {
        HoldKey key = fixture.parked("s", "m1", "m2");
        long first = fixture.holds.messages(key, 1).get(0).place();
        fixture.holds.skip(key, first, BY_ANNA);

        assertThatThrownBy(() -> fixture.holds.skip(key, first, BY_ANNA)).isInstanceOf(NoSuchElementException.class);
        assertThat(fixture.ids(key)).containsExactly("m2");
    }

    @Test
    void a_hold_that_is_not_as_the_operator_saw_it_is_left_alone() {
        HoldKey key = fixture.parked("s", "m1");
        Holds seen = fixture.holds.provided((hold, history) -> history.isEmpty());

        seen.release(key, BY_ANNA);

        assertThatThrownBy(() -> seen.release(key, BY_ANNA))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("has changed meanwhile");
        assertThat(fixture.holds.history(key)).hasSize(1);
    }

    @Test
    void all_selected_holds_are_due_at_once_or_after_a_delay_and_are_counted_with_their_messages() {
        fixture.parked("s", "m1", "m2");
        fixture.parked("t", "m3");

        assertThat(fixture.holds.retry(HoldFilter.everything(), Duration.ofHours(1), BY_ANNA))
                .isEqualTo(new HoldTally(2, 3, 0));
        assertThat(fixture.begin()).isEmpty();

        assertThat(fixture.holds.release(HoldFilter.everything(), BY_ANNA)).isEqualTo(new HoldTally(2, 3, 0));
        assertThat(fixture.begin()).hasSize(2);
    }

    @Test
    void a_hold_is_found_by_its_id() {
        HoldKey key = fixture.parked("s", "m1");
        Hold hold = fixture.holds.show(key).orElseThrow();

        assertThat(fixture.holds.show(hold.id())).contains(hold);
    }

    @Test
    void holds_of_the_other_side_are_out_of_reach() {
        assertThatThrownBy(() -> fixture.holds.release(HoldKey.session(HoldSide.OUTBOX, "orders", "s"), BY_ANNA))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void the_operators_role_can_do_all_of_it_and_neither_prolong_leases_nor_rewrite_the_audit() throws Exception {
        HoldKey key = fixture.parked("s", "m1", "m2");
        String role = fixture.schema + "_op";
        database.execute("create role " + role);
        database.execute(Role.OPERATOR.grants(fixture.schema, role, Feature.all()));
        try (Connection connection =
                DriverManager.getConnection(database.server().jdbcUrl())) {
            var dsl = DSL.using(connection, SQLDialect.POSTGRES);
            dsl.execute("set role " + role);
            var holds = Holds.ofInbox(new OneConnection(connection), fixture.schema, (tx, skipped, message) -> {});
            long place = holds.messages(key, 1).get(0).place();
            holds.edit(key, place, content -> content.withBody(new byte[0]), BY_ANNA);
            holds.skip(key, place, BY_ANNA);
            holds.retry(key, Duration.ZERO, BY_ANNA);
            holds.release(key, BY_ANNA);
            assertThat(holds.history(key)).hasSize(4);
            assertThatThrownBy(
                            () -> dsl.execute("update " + fixture.schema.table("relay") + " set alive_until = now()"))
                    .hasMessageContaining("permission denied");
            assertThatThrownBy(() -> dsl.execute("delete from " + fixture.schema.table("operator_action")))
                    .hasMessageContaining("permission denied");
        } finally {
            database.execute("drop owned by " + role);
            database.execute("drop role " + role);
        }
    }

    private void awaitSomebodyWhoWaits() {
        Awaitility.await()
                .until(() -> fixture.dsl.fetchCount(
                                DSL.table("pg_locks"),
                                DSL.condition("not granted and locktype in ('transactionid', 'tuple')"))
                        > 0);
    }
}
