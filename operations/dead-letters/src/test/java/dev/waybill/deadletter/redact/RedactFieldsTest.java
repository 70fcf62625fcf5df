package dev.waybill.deadletter.redact;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetter.EmptiedReason;
import dev.waybill.deadletter.DeadLetterArchive;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.StoredLetters;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.message.MessageContent;
import dev.waybill.migrations.Role;
import dev.waybill.relay.TemporaryRole;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Some fields are taken out of dead letters, wherever the letters are kept, and no others. */
@ExtendWith(PostgresExtension.class)
class RedactFieldsTest {
    private static final AuditContext WORD = new AuditContext("ada", "because");
    private static final DeadLetterFilter ALL = DeadLetterFilter.everything();

    private StoredLetters stored;
    private DeadLetterArchive archive;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        stored = new StoredLetters(database);
        archive = DeadLetterArchive.in(database.dataSource(), stored.schema);
    }

    @Test
    void named_fields_are_gone_from_letter_version_and_archive_and_all_others_stay() {
        long open = add("m1", "{\"email\":\"secret\",\"amount\":1.10}");
        stored.letters.edit(open, now -> now.withBody(bytes("{\"email\":\"secret 2\",\"amount\":2}")), WORD);
        long archived = add("m2", "{\"email\":\"secret\",\"amount\":3}");
        archive.archive(DeadLetterFilter.id(archived), Duration.ofDays(42), WORD);

        DeadLetterArchive.RedactionReport report =
                archive.redact(ALL, List.of("body:/email", "property:NAME", "correlation-id"), WORD);

        assertThat(report).isEqualTo(new DeadLetterArchive.RedactionReport(2, List.of()));
        assertThat(bodyOf(open)).isEqualTo("{\"email\":null,\"amount\":2}");
        assertThat(new String(stored.letters.original(open).orElseThrow().body(), UTF_8))
                .isEqualTo("{\"email\":null,\"amount\":1.10}");
        assertThat(new String(archive.content(archived).orElseThrow().body(), UTF_8))
                .isEqualTo("{\"email\":null,\"amount\":3}");
        for (long id : List.of(open, archived)) {
            assertThat(stored.letters.show(id).orElseThrow().content().properties())
                    .containsOnly(Map.entry("tenant", "acme"));
            assertThat(stored.letters.show(id).orElseThrow().lifecycle().emptied())
                    .isEqualTo(EmptiedReason.REDACTED);
            assertThat(stored.letters.history(id))
                    .last()
                    .returns("redact", DeadLetter.AuditEntry::action)
                    .satisfies(entry ->
                            assertThat(entry.change().after()).contains("\"property:NAME\"", "\"body:/email\"", "["));
        }
        assertThat(stored.texts("select t::text from $schema.dead_letter_archive t")
                        .toString())
                .contains("acme")
                .doesNotContain("secret");
        assertThat(stored.letters.show(archived).orElseThrow().content().body()).isEmpty();
    }

    @Test
    void a_letter_that_has_lost_a_field_is_not_sent_and_one_without_the_field_is_left_alone() {
        stored.served("orders");
        long lost = add("m1", "{\"email\":\"secret\"}");
        long other = stored.add("m2", "{\"amount\":1}");

        assertThat(archive.redact(ALL, List.of("body:/email"), WORD).redacted()).isEqualTo(1);

        assertThat(stored.letters.history(other)).isEmpty();
        assertThatThrownBy(() -> stored.letters.edit(lost, now -> now.withBody(bytes("{}")), WORD))
                .isInstanceOf(IllegalArgumentException.class);
        var redrives = Redrives.in(stored.database.dataSource(), stored.schema);
        assertThat(redrives.plan(DeadLetterFilter.id(lost), RedriveRequest.toSource())
                        .isPossible())
                .isFalse();
        assertThat(redrives.plan(DeadLetterFilter.id(other), RedriveRequest.toSource())
                        .isPossible())
                .isTrue();
    }

    @Test
    void a_letter_whose_body_cannot_be_read_at_the_path_is_named_and_left_as_it_is() {
        long text = stored.add(
                "orders", "Bad", MessageContent.of("m1", null, bytes("secret")).withProperties(named()));
        long cut = add("m2", "{\"email\":\"secret\"");
        long two = add("m3", "{\"email\":1} {\"email\":\"secret\"}");
        long outside = add("m4", "{\"email\":\"secret\"}");
        stored.execute("update $schema.dead_letter_message set headers = '{\"waybill-claim\":\"" + new UUID(1, 1)
                + "\"}' where id = " + outside);
        long fine = add("m5", "{\"email\":\"secret\"}");

        DeadLetterArchive.RedactionReport report = archive.redact(ALL, List.of("property:name", "body:/email"), WORD);

        assertThat(report.redacted()).isEqualTo(1);
        assertThat(report.refused()).containsExactly(text, cut, two, outside);
        assertThat(stored.letters.show(text).orElseThrow().content().properties())
                .containsKey("name");
        assertThat(bodyOf(fine)).isEqualTo("{\"email\":null}");
    }

    @Test
    void a_former_version_that_cannot_be_read_is_gone() {
        long id = add("m1", "{\"email\":\"secret\"");
        stored.letters.edit(id, now -> now.withBody(bytes("{\"email\":\"secret\"}")), WORD);

        assertThat(archive.redact(ALL, List.of("body:/email"), WORD).redacted()).isEqualTo(1);

        assertThat(stored.texts("select v::text from $schema.dead_letter_version v"))
                .isEmpty();
        assertThat(bodyOf(id)).isEqualTo("{\"email\":null}");
    }

    @Test
    void a_path_finds_arrays_every_duplicate_odd_names_and_every_encoding_of_json() throws Exception {
        assertThat(without("/items/*/name", "{\"items\":[{\"name\":\"a\",\"n\":1},{\"name\":{\"x\":[1]}},7]}"))
                .isEqualTo("{\"items\":[{\"name\":null,\"n\":1},{\"name\":null},7]}");
        assertThat(without("/0", "[\"a\",\"b\"]")).isEqualTo("[null,\"b\"]");
        assertThat(without("/e", "{\"e\":\"first\",\"\\u0065\":\"second\"}")).isEqualTo("{\"e\":null,\"e\":null}");
        assertThat(without("/a~1b/~0", "{\"a/b\":{\"~\":1}}")).isEqualTo("{\"a/b\":{\"~\":null}}");
        assertThat(without("/*", "{\"\":1,\"a\":[2]}")).isEqualTo("{\"\":null,\"a\":null}");
        assertThat(without("/a", "{\"a\":1,\"n\":12345678901234567890.123456789012345678901e5}"))
                .isEqualTo("{\"a\":null,\"n\":12345678901234567890.123456789012345678901e5}");
        assertThat(without("/a", "{\"a\":1,\"half\":\"\\ud800\"}")).isEqualTo("{\"a\":null,\"half\":\"\\uD800\"}");
        assertThat(without("/a", "{\"a\":1,\"\u00e4\":\"\u00e4\"}")).isEqualTo("{\"a\":null,\"\u00e4\":\"\u00e4\"}");
        assertThat(new String(BodyPath.of("/a").without("{\"a\":1}".getBytes(UTF_16)), UTF_8))
                .isEqualTo("{\"a\":null}");
        for (String none : List.of("{\"b\":1}", "7", "{\"a\":{\"b\":1}}", "[]")) {
            assertThat(without("/a/c", none)).isEqualTo(none);
        }
        String deep = "[".repeat(100_000);
        assertThatThrownBy(() -> without("/a", deep)).isInstanceOf(Redaction.UnreadableBodyException.class);
        assertThatThrownBy(() -> without("/a", "{\"a\":\"\u0001\"}"))
                .isInstanceOf(Redaction.UnreadableBodyException.class);
    }

    @Test
    void a_field_that_cannot_be_taken_out_is_refused_before_anything_is_changed() {
        add("m1", "{}");
        for (String field : List.of(
                "session",
                "message",
                "id",
                "reason",
                "",
                "body:",
                "body:/",
                "body:email",
                "property:",
                "property:waybill-id",
                "property:waybill-claim",
                "Subject")) {
            assertThatThrownBy(() -> archive.redact(ALL, List.of("property:name", field), WORD))
                    .as(field)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> archive.redact(ALL, List.of(), WORD)).isInstanceOf(IllegalArgumentException.class);
        assertThat(stored.all().get(0).content().properties()).containsKey("name");
    }

    @Test
    void the_operators_role_is_enough() throws Exception {
        long open = add("m1", "{\"email\":\"secret\"}");
        stored.letters.edit(open, now -> now.withBody(bytes("{\"email\":\"secret 2\"}")), WORD);
        archive.archive(DeadLetterFilter.id(add("m2", "{\"email\":\"s\"}")), Duration.ofDays(1), WORD);
        try (var role = new TemporaryRole(stored.database, stored.schema, Role.OPERATOR)) {
            var operators = DeadLetterArchive.in(role.pool(), stored.schema);
            assertThat(operators
                            .redact(ALL, List.of("body:/email", "body"), WORD)
                            .redacted())
                    .isEqualTo(2);
            assertThat(operators.elsewhere(ALL)).isZero();
            assertThat(operators.expire(ALL, WORD)).isEqualTo(1);
        }
    }

    private static String without(String path, String body) throws Exception {
        return new String(BodyPath.of(path).without(bytes(body)), UTF_8);
    }

    private long add(String id, String body) {
        return stored.add(
                "orders", "Bad", MessageContent.of(id, null, bytes(body)).withProperties(named()));
    }

    private static Map<String, Object> named() {
        return Map.of("name", "secret", "tenant", "acme");
    }

    private String bodyOf(long id) {
        return new String(stored.letters.show(id).orElseThrow().content().body(), UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
