package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.deadletter.DeadLetter.EmptiedReason;
import dev.waybill.deadletter.StoredLetters.Place;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import dev.waybill.migrations.Role;
import dev.waybill.relay.TemporaryRole;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Letters that came from an export of an archive, which has no bodies, and come again with their bodies. */
@ExtendWith(PostgresExtension.class)
class BodyBackfillTest {
    private static final AuditContext WORD = new AuditContext("ada", "because");
    private static final Place PLACE = new Place(7, Instant.parse("2026-01-01T00:00:07Z"));

    private StoredLetters stored;
    private DeadLetterArchive archive;
    private DeadLetterExchange exchange;
    private Erasure erasure;
    private String full;
    private String empty;

    /** One letter, as it was exported before and after it was archived; neither is here any more. */
    @BeforeEach
    void export_a_letter(TestDatabase database) throws IOException {
        stored = new StoredLetters(database);
        stored.served("orders");
        archive = DeadLetterArchive.in(database.dataSource(), stored.schema);
        exchange = DeadLetterExchange.in(database.dataSource(), stored.schema);
        erasure = Erasure.in(database.dataSource(), stored.schema);
        collect();
        full = export();
        archive.archive(DeadLetterFilter.open(), Duration.ofDays(1), WORD);
        empty = export();
        archive.erase(DeadLetterFilter.everything(), WORD);
    }

    @Test
    void a_letter_without_its_body_gets_it_from_a_line_that_has_it_and_can_be_sent() throws Exception {
        assertThat(imported(empty)).isEqualTo(1);

        assertThat(imported(full)).isEqualTo(1);
        assertThat(imported(full)).isZero();
        assertThat(imported(empty)).isZero();

        assertThat(body()).isEqualTo("body");
        assertThat(letter().state()).isEqualTo(DeadLetter.State.OPEN);
        assertThat(letter().lifecycle().emptied()).isNull();
        var redrives = Redrives.in(stored.database.dataSource(), stored.schema);
        assertThat(redrives.redrive(DeadLetterFilter.open(), RedriveRequest.toSource(), WORD)
                        .redriven())
                .isEqualTo(1);
    }

    @Test
    void a_line_with_the_body_counts_wherever_it_stands_in_the_file() {
        assertThat(imported(empty + full)).isEqualTo(1);
        assertThat(body()).isEqualTo("body");
        archive.erase(DeadLetterFilter.everything(), WORD);

        assertThat(imported(full + empty)).isEqualTo(1);
        assertThat(body()).isEqualTo("body");
    }

    @Test
    void a_letter_without_its_body_that_is_collected_gets_it_before_the_broker_forgets_it() {
        imported(empty);

        collect();

        assertThat(body()).isEqualTo("body");
        assertThat(letter().state()).isEqualTo(DeadLetter.State.OPEN);
    }

    @Test
    void a_collector_needs_nothing_but_the_grants_of_the_relay_for_it(TestDatabase database) throws Exception {
        imported(empty);

        try (var role = new TemporaryRole(database, stored.schema, Role.RELAY)) {
            var relays = stored.schema.in(DSL.using(role.pool(), SQLDialect.POSTGRES));
            new StoredLetters(relays, stored).add("orders", "Bad", PLACE, StoredLetters.content("m1", "body"));
        }

        assertThat(body()).isEqualTo("body");
    }

    @Test
    void a_letter_that_somebody_has_opened_meanwhile_stays_open() {
        imported(empty);
        stored.letters.reopen(DeadLetterFilter.everything(), WORD);

        assertThat(imported(full)).isEqualTo(1);

        assertThat(letter().state()).isEqualTo(DeadLetter.State.OPEN);
        assertThat(body()).isEqualTo("body");
    }

    @Test
    void what_was_redacted_here_stays_empty() {
        imported(empty);
        archive.redact(DeadLetterFilter.everything(), WORD);

        assertThat(imported(full)).isZero();
        collect();

        assertThat(body()).isEmpty();
        assertThat(letter().lifecycle().emptied()).isEqualTo(EmptiedReason.REDACTED);
    }

    @Test
    void what_is_ordered_to_be_erased_and_not_removed_yet_stays_empty() throws IOException {
        imported(empty);
        var orders = new StringWriter();
        erasure.erase(ErasureRequest.message("another"), WORD);
        erasure.export(orders);
        String order = orders.toString()
                .replace(
                        stored.texts("select $schema.erasure_digest('message', 'another')")
                                .get(0),
                        stored.texts("select $schema.erasure_digest('message', 'm1')")
                                .get(0));
        assertThat(erasure.importFrom(new BufferedReader(new StringReader(order))))
                .isEqualTo(1);

        assertThat(imported(full)).isZero();
        collect();

        assertThat(body()).isEmpty();
    }

    @Test
    void a_letter_that_lies_in_the_archive_without_its_body_gets_it_once_it_is_restored() {
        imported(empty);
        archive.archive(DeadLetterFilter.everything(), Duration.ofDays(1), WORD);
        assertThat(imported(full)).isZero();
        archive.restore(DeadLetterFilter.everything(), WORD);

        assertThat(imported(full)).isEqualTo(1);

        assertThat(body()).isEqualTo("body");
    }

    @Test
    void a_letter_whose_body_is_empty_of_itself_is_left_alone() throws IOException {
        stored.add("orders", "Bad", StoredLetters.content("m2", ""));
        String line = export();
        stored.letters.discard(DeadLetterFilter.everything(), WORD);

        assertThat(imported(line)).isZero();

        assertThat(letter().state()).isEqualTo(DeadLetter.State.DISCARDED);
    }

    private void collect() {
        stored.add("orders", "Bad", PLACE, StoredLetters.content("m1", "body"));
    }

    private String export() throws IOException {
        var lines = new StringWriter();
        exchange.export(DeadLetterFilter.everything(), lines);
        return lines.toString();
    }

    private int imported(String lines) {
        return exchange.importFrom(new BufferedReader(new StringReader(lines)), WORD);
    }

    private DeadLetter letter() {
        assertThat(stored.all()).hasSize(1);
        return stored.all().get(0);
    }

    private String body() {
        return new String(letter().content().body(), StandardCharsets.UTF_8);
    }
}
