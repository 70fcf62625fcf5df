package dev.waybill.deadletter;

import static dev.waybill.deadletter.StoredLetters.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.waybill.deadletter.DeadLetter.AuditEntry.Change;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class DeadLettersTest {
    private static final AuditContext WORD = new AuditContext("ada", "because");
    private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

    private StoredLetters stored;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        stored = new StoredLetters(database);
    }

    @Test
    void a_stretch_ends_after_so_many_letters_however_few_of_them_fit() {
        for (int i = 0; i < 7; i++) {
            stored.add(i == 5 ? "rare" : "orders", "AException", content("m" + i, "x"));
        }
        DeadLetters letters = stored.letters;
        DeadLetterFilter rare = DeadLetterFilter.open().entity("rare");

        DeadLetters.Range first = letters.range(rare, 0, 4);
        DeadLetters.Range second = letters.range(rare, first.last(), 4);

        assertThat(first.isLast()).isFalse();
        assertThat(found(first.filter())).isEmpty();
        assertThat(second.isLast()).isTrue();
        assertThat(found(second.filter())).containsExactly("m5");
        assertThat(letters.count(second.filter())).isEqualTo(1);
        assertThat(letters.range(rare, second.last(), 4).isLast()).isTrue();
    }

    @Test
    void each_word_of_a_filter_narrows_the_choice() {
        stored.add(
                "orders", "AException", MessageContent.of("a", "s1", "needle in hay".getBytes(StandardCharsets.UTF_8)));
        stored.add("orders", "BException", stored.typed("b"));
        stored.add("events/Subscriptions/audit", "AException", content("c", "hay"));

        assertThat(found(DeadLetterFilter.open())).containsExactly("a", "b", "c");
        assertThat(found(DeadLetterFilter.open().entity("orders"))).containsExactly("a", "b");
        assertThat(found(DeadLetterFilter.open().reason("AException"))).containsExactly("a", "c");
        assertThat(found(DeadLetterFilter.open().exceptionType("AException"))).containsExactly("a", "c");
        assertThat(found(DeadLetterFilter.open().session("s1"))).containsExactly("a");
        assertThat(found(DeadLetterFilter.open().messageId("c"))).containsExactly("c");
        assertThat(found(DeadLetterFilter.open().bodyContains("needle"))).containsExactly("a");
        assertThat(found(DeadLetterFilter.open().property("int", 42))).containsExactly("b");
        assertThat(found(DeadLetterFilter.open().property("int", 43))).isEmpty();
        assertThat(found(DeadLetterFilter.open().property("long", Long.MIN_VALUE)))
                .containsExactly("b");
        assertThat(found(DeadLetterFilter.open().enqueuedFrom(Instant.parse("2026-01-01T00:00:02Z"))))
                .containsExactly("b", "c");
        assertThat(found(DeadLetterFilter.open().enqueuedBefore(Instant.parse("2026-01-01T00:00:02Z"))))
                .containsExactly("a");
        assertThat(found(DeadLetterFilter.open().collectedBefore(Instant.parse("2026-01-01T00:00:02Z"))))
                .isEmpty();
        assertThat(found(DeadLetterFilter.open().transfers(true))).isEmpty();
        assertThat(found(DeadLetterFilter.open().entity("orders").reason("AException")))
                .containsExactly("a");
    }

    @Test
    void groups_are_counted_with_their_ages() {
        stored.add("1", "x");
        stored.add("2", "x");
        stored.add("events/Subscriptions/audit", "BadException", content("3", "x"));

        var groups =
                stored.letters.groups(DeadLetterFilter.open(), DeadLetterGroup.By.ENTITY, DeadLetterGroup.By.REASON);

        assertThat(groups)
                .extracting(DeadLetterGroup::key, DeadLetterGroup::count)
                .containsExactly(
                        tuple(List.of("orders", "BadException"), 2L),
                        tuple(List.of("events/Subscriptions/audit", "BadException"), 1L));
        assertThat(groups.get(0).oldestAge()).isPositive();
        assertThat(stored.letters.groups(DeadLetterFilter.open(), DeadLetterGroup.By.SESSION))
                .singleElement()
                .returns(Arrays.asList((String) null), DeadLetterGroup::key);
    }

    @Test
    void an_edit_keeps_the_original_and_says_what_it_changed() {
        long id = stored.add("orders", "BadException", stored.typed("m1"));

        stored.letters.edit(id, now -> now.withBody("second".getBytes(StandardCharsets.UTF_8)), WORD);
        var changes = stored.letters.edit(
                id,
                now -> now.withBody("third".getBytes(StandardCharsets.UTF_8)).withProperties(Map.of("int", 43)),
                WORD);

        assertThat(changes).contains(new FieldChange("body", "second", "third"));
        assertThat(stored.letters.diff(id))
                .contains(
                        new FieldChange("body", "body of m1", "third"),
                        new FieldChange("property:int", "{\"int\":{\"int\":\"42\"}}", "{\"int\":{\"int\":\"43\"}}"))
                .hasSize(1 + StoredLetters.everyType().size());
        assertThat(stored.letters.original(id).orElseThrow().body())
                .isEqualTo("body of m1".getBytes(StandardCharsets.UTF_8));
        assertThat(stored.letters.show(id).orElseThrow().lifecycle().version()).isEqualTo(3);
        assertThat(stored.letters.history(id)).hasSize(2).allSatisfy(entry -> {
            assertThat(entry.instruction()).isEqualTo(WORD);
            assertThat(entry.change().after()).contains("sha256:").doesNotContain("second", "third");
        });
    }

    @Test
    void an_edit_that_changes_nothing_is_not_recorded() {
        long id = stored.add("m1", "body");

        assertThat(stored.letters.edit(id, now -> now, WORD)).isEmpty();
        assertThat(stored.letters.history(id)).isEmpty();
    }

    @Test
    void ids_sessions_and_locked_fields_cannot_be_edited() {
        long id = stored.add("orders", "r", MessageContent.of("m1", "s", new byte[0]));
        var locking = DeadLetters.in(stored.dsl, stored.schema, Set.of("body"));

        assertThatThrownBy(() -> stored.letters.edit(id, now -> MessageContent.of("m2", "s", new byte[0]), WORD))
                .hasMessageContaining("ids");
        assertThatThrownBy(() -> stored.letters.edit(id, now -> MessageContent.of("m1", "t", new byte[0]), WORD))
                .hasMessageContaining("session");
        assertThatThrownBy(() -> locking.edit(id, now -> now.withBody(new byte[] {1}), WORD))
                .hasMessageContaining("'body' is locked");
        assertThatThrownBy(
                        () -> stored.letters.edit(id, now -> now.withProperties(Map.of("waybill-redrive", 0L)), WORD))
                .hasMessageContaining("locked");
        assertThat(stored.letters.show(id).orElseThrow().lifecycle().version()).isEqualTo(1);
    }

    @Test
    void a_session_that_was_missing_can_be_given() {
        long id = stored.add("orders", "Session ID is null", content("m1", "body"));

        stored.letters.edit(id, now -> MessageContent.of("m1", "s", now.body()), WORD);

        assertThat(stored.letters.show(id).orElseThrow().content().sessionId()).isEqualTo("s");
    }

    @Test
    void what_is_closed_is_not_edited_and_can_be_opened_again() {
        long id = stored.add("m1", "body");
        assertThat(stored.letters.discard(DeadLetterFilter.open(), WORD)).isEqualTo(1);
        assertThat(stored.letters.discard(DeadLetterFilter.everything(), WORD)).isZero();

        assertThatThrownBy(() -> stored.letters.edit(id, now -> now.withBody(new byte[1]), WORD))
                .isInstanceOf(NoSuchElementException.class);
        assertThat(stored.letters.reopen(DeadLetterFilter.id(id), WORD)).isEqualTo(1);
        assertThat(stored.letters.history(id))
                .extracting(DeadLetter.AuditEntry::action, DeadLetter.AuditEntry::change)
                .containsExactly(
                        tuple("discard", new Change("{\"state\": \"open\"}", "{\"state\": \"discarded\"}")),
                        tuple("reopen", new Change("{\"state\": \"discarded\"}", "{\"state\": \"open\"}")));
    }

    private List<String> found(DeadLetterFilter filter) {
        return stored.letters.list(filter, 0, 100).stream()
                .map(letter -> letter.content().messageId())
                .toList();
    }

    @Test
    void an_edit_that_no_broker_and_no_row_takes_is_refused_with_its_field() {
        long id = stored.add("m1", "body");
        for (Duration odd :
                List.of(Duration.ZERO, Duration.ofMillis(-5), Duration.ofNanos(5), Duration.ofDays(50), FOR_EVER)) {
            assertThatThrownBy(() -> edit(id, null, odd, null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("time to live");
        }
        for (String odd : List.of("a\0b", "a\ud800b")) {
            assertThatThrownBy(() -> edit(id, null, null, odd))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'subject'");
        }
        for (String odd : List.of("s".repeat(129), "\u00c9mile", "\ud83d", "")) {
            assertThatThrownBy(() -> edit(id, odd, null, null))
                    .as(odd)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("session");
        }
        Map<Map<String, Object>, String> properties = Map.of(
                Map.of("p", "x".repeat(33 * 1024)), "32768",
                Map.of("p", "x".repeat(32_000), "q", "x".repeat(32_000)), "63488",
                Map.of("Tenant", 1L, "tenant", 2L), "does not tell apart",
                Map.of("p", "a\ud800b"), "'property:p'",
                Map.of("Waybill-Id", "x"), "'property:Waybill-Id' is locked",
                Map.of("waybill-anything", 1L), "'property:waybill-anything' is locked");
        properties.forEach((odd, said) -> assertThatThrownBy(
                        () -> stored.letters.edit(id, old -> old.withProperties(odd), WORD))
                .as(said)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(said));
        assertThat(stored.letters.show(id).orElseThrow().lifecycle().version()).isEqualTo(1);
    }

    @Test
    void a_letter_of_a_foreign_sender_is_edited_whatever_its_session_and_properties_are() {
        Map<String, Object> foreign = Map.of("Tenant", 1L, "tenant", 2L, "p", "x".repeat(33 * 1024));
        long id = stored.add(
                "orders",
                "Bad",
                MessageContent.builder("m1")
                        .sessionId("\u00c9mile")
                        .properties(foreign)
                        .body(new byte[] {'x'})
                        .build());

        assertThat(stored.letters.edit(id, old -> old.withBody(new byte[] {'y'}), WORD))
                .hasSize(1);
    }

    @Test
    void a_letter_that_waits_in_a_hold_without_a_session_is_given_none() throws Exception {
        stored.consumer("ledger");
        long id = stored.add("m1", "broken");
        var redrives = Redrives.in(stored.database.dataSource(), stored.schema);
        redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toConsumer("ledger"), WORD);
        stored.letters.reopen(DeadLetterFilter.id(id), WORD);

        assertThatThrownBy(() -> edit(id, "s", null, null)).hasMessageContaining("hold");

        stored.execute("delete from $schema.inbox_hold");
        assertThat(edit(id, "s", null, null)).hasSize(1);
    }

    private List<FieldChange> edit(
            long id, @Nullable String session, @Nullable Duration timeToLive, @Nullable String subject) {
        return stored.letters.edit(
                id,
                old -> MessageContent.builder(old.messageId())
                        .brokerMessageId(old.brokerMessageId())
                        .sessionId(session)
                        .subject(subject)
                        .timeToLive(timeToLive)
                        .headers(old.headers())
                        .body(old.body())
                        .build(),
                WORD);
    }

    @Test
    void a_search_for_the_empty_text_is_refused_because_it_would_name_all() {
        assertThatThrownBy(() -> DeadLetterFilter.open().bodyContains("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_property_is_compared_by_its_value_and_not_by_its_text() {
        for (long n : new long[] {1, 10, 17, 100, 2}) {
            stored.add("orders", "Bad", content("tenant-" + n, "x").withProperties(Map.of("tenant", n)));
        }
        stored.add("orders", "Bad", content("text", "x").withProperties(Map.of("tenant", "1")));
        stored.add("orders", "Bad", content("nested", "x").withProperties(Map.of("kind", java.util.UUID.randomUUID())));
        stored.add("orders", "Bad", content("nul", "x").withProperties(Map.of("a\\", "\\\0\0\\u0000", "tenant", 3L)));

        assertThat(ids(DeadLetterFilter.open().property("tenant", 1L))).containsExactly("tenant-1");
        assertThat(ids(DeadLetterFilter.open().property("tenant", "1"))).containsExactly("text");
        assertThat(ids(DeadLetterFilter.open().property("tenant", 3L))).containsExactly("nul");
        assertThat(ids(DeadLetterFilter.open().property("a\\", "\\\0\0\\u0000")))
                .containsExactly("nul");
        String uuid = stored.texts(
                        "select headers::json -> 'kind' ->> 'uuid' from $schema.dead_letter where message_id = 'nested'")
                .get(0);
        assertThat(ids(DeadLetterFilter.open().property("uuid", uuid))).isEmpty();
        assertThat(ids(DeadLetterFilter.open().property("kind", java.util.UUID.fromString(uuid))))
                .containsExactly("nested");
    }

    @Test
    void a_property_is_found_in_any_spelling_as_on_the_broker_and_its_value_in_its_own_alone() {
        stored.add(
                "orders", "Bad", content("upper", "x").withProperties(Map.of("TenantId\u001f\u00c4", "Acme", "n", 1L)));
        stored.add("orders", "Bad", content("lower", "x").withProperties(Map.of("tenantid\u001f\u00c4", "Acme")));
        stored.add("orders", "Bad", content("other", "x").withProperties(Map.of("tenantid\u001f\u00c4", "acme")));
        stored.add("orders", "Bad", content("value", "x").withProperties(Map.of("n", "TenantId\u001f\u00c4")));

        for (String name : List.of("TenantId\u001f\u00c4", "TENANTID\u001f\u00c4", "tenantid\u001f\u00c4")) {
            assertThat(ids(DeadLetterFilter.open().property(name, "Acme")))
                    .as(name)
                    .containsExactly("upper", "lower");
        }
    }

    private List<String> ids(DeadLetterFilter filter) {
        return stored.letters.list(filter, 0, 100).stream()
                .map(letter -> letter.content().messageId())
                .toList();
    }
}
