package dev.waybill.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.hold.AuditContext;
import java.io.BufferedReader;
import java.io.StringReader;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A preview of an import is what the import comes to, and leaves nothing behind. */
@ExtendWith(PostgresExtension.class)
class ImportPreviewTest {
    private static final AuditContext WORD = new AuditContext("ada", "because");

    private TestDatabase database;
    private StoredLetters stored;
    private DeadLetterExchange exchange;

    @BeforeEach
    void create_the_tables(TestDatabase empty) {
        database = empty;
        stored = new StoredLetters(database);
        exchange = DeadLetterExchange.in(database.dataSource(), stored.schema);
    }

    private static BufferedReader lines(String... lines) {
        return new BufferedReader(new StringReader(String.join("\n", lines)));
    }

    private static String good(int number) {
        return HostileLinesTest.line("m" + number, number, "");
    }

    /** Of an export, of which less is asked: no index takes its id. */
    private static String tooLong() {
        String id = new Random(7)
                .ints(6_000, 'a', 'z' + 1)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
        return HostileLinesTest.line(id, 9, ",\"key\":\"" + UUID.randomUUID() + "\"");
    }

    private int stored() {
        return DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                .fetchSingle("select count(*)::int from " + stored.schema.table("dead_letter_message"))
                .get(0, Integer.class);
    }

    @Test
    void a_preview_is_what_the_import_comes_to_and_leaves_nothing_behind() {
        exchange.importFrom(lines(good(1)), WORD);
        String[] file = {good(1), good(2), "", good(3), good(3)};

        ImportPreview preview = exchange.preview(lines(file));
        assertThat(preview).isEqualTo(new ImportPreview(4, 2, List.of(), 0));
        assertThat(stored()).isEqualTo(1);
        assertThat(exchange.importFrom(lines(file), WORD)).isEqualTo(preview.imported());
        assertThat(exchange.preview(lines(file)).imported()).isZero();
        assertThat(exchange.importFrom(lines(file), WORD)).as("once more").isZero();
        assertThat(stored()).isEqualTo(3);
    }

    @Test
    void a_preview_names_every_line_that_is_refused_also_by_a_row_that_cannot_take_it() {
        ImportPreview preview = exchange.preview(
                lines(good(1), "no JSON", good(2), tooLong(), HostileLinesTest.line("", 3, ""), good(4)));

        assertThat(preview.lines()).isEqualTo(6);
        assertThat(preview.imported()).as("would be new without the others").isEqualTo(3);
        assertThat(preview.refused()).extracting(ImportPreview.Refused::line).containsExactly(2, 4, 5);
        assertThat(preview.refused()).noneMatch(refused -> refused.why().isEmpty());
        assertThat(preview.isPossible()).isFalse();
        assertThat(stored()).isZero();
        assertThatThrownBy(() -> exchange.importFrom(lines(good(1), "no JSON"), WORD))
                .hasMessageContaining("line 2 is refused");
    }

    @Test
    void a_preview_of_a_file_that_is_wrong_in_every_line_tells_the_first_ones() {
        String[] file = IntStream.range(0, 200).mapToObj(i -> "{").toArray(String[]::new);
        ImportPreview preview = exchange.preview(lines(file));

        assertThat(preview.refused()).hasSize(50);
        assertThat(preview.otherRefused()).isEqualTo(150);
        assertThat(exchange.preview(lines(good(1), "x".repeat(2_000), good(2)), 1_000)
                        .refused())
                .as("nothing is looked at behind a line without an end")
                .singleElement()
                .matches(refused -> refused.line() == 2 && refused.why().contains("longer than"));
    }
}
