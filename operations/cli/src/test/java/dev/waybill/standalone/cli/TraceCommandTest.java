package dev.waybill.standalone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.journey.Journey;
import dev.waybill.journey.Journey.Recorded;
import dev.waybill.journey.JourneyEntry;
import dev.waybill.journey.JourneyEntry.Confidence;
import dev.waybill.journey.JourneyEntry.Step;
import dev.waybill.journey.Journeys;
import dev.waybill.journey.SearchTerm;
import dev.waybill.migrations.Role;
import dev.waybill.relay.TemporaryRole;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The journey of a message that has met everything, by the command and by the call. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class TraceCommandTest {
    private static final Step[] EVERYTHING = {
        Step.APPENDED,
        Step.HELD,
        Step.RELEASED,
        Step.PARKED,
        Step.EDITED,
        Step.RELEASED,
        Step.PUBLISHED,
        Step.ENQUEUED,
        Step.FAILED,
        Step.ABANDONED,
        Step.FAILED,
        Step.DEAD_LETTERED,
        Step.COLLECTED,
        Step.APPENDED,
        Step.REDRIVEN,
        Step.PUBLISHED,
        Step.ENQUEUED,
        Step.HANDLED,
        Step.DUPLICATE
    };

    @TempDir
    private Path directory;

    private TestDatabase database;
    private SchemaName schema;
    private DSLContext dsl;
    private Program program;
    private MuchTriedMessage debit;

    @BeforeEach
    void create_the_tables(TestDatabase database) {
        this.database = database;
        schema = Program.tables(database);
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        program = Program.with(directory, Program.database(database));
        debit = new MuchTriedMessage(database.dataSource(), schema);
    }

    @Test
    @Tag("long")
    void one_id_shows_all_that_a_message_has_met_in_order() throws Exception {
        try (var bus = EmbeddedServiceBus.builder().queue("payments").start()) {
            debit.meetEverything(bus);
        }

        Journey journey = journey(SearchTerm.message("debit-42"));
        assertThat(journey.entries()).extracting(JourneyEntry::step).containsExactly(EVERYTHING);
        assertThat(journey.entries())
                .allSatisfy(entry -> assertThat(entry.confidence()).isEqualTo(Confidence.KNOWN));
        assertThat(journey.entries())
                .extracting(entry -> entry.place().message())
                .containsOnly("debit-42");
        assertThat(journey.cut()).isFalse();
        a_plain_message_writes_no_event();
        the_command_says_the_same();
        the_page_shows_what_the_command_prints();
        other_names_lead_to_it(journey);
        an_id_of_another_kind_is_pointed_to();
        what_an_id_says_moves_no_cursor();
        a_role_that_only_reads_sees_it_all();
    }

    private void what_an_id_says_moves_no_cursor() {
        String evil = "evil\u001B[2J\n";
        debit.append("wallet-9", evil);
        debit.append("wallet-9", "good");
        assertThat(program.run("trace", "--session", "wallet-9").out())
                .contains("evil\uFFFD[2J", "good")
                .doesNotContain("\u001B");
        assertThat(program.run("trace", evil, "--json").json().get("entries").findValuesAsText("message"))
                .containsOnly(evil);
        assertThat(program.run("trace", "x" + evil).err()).doesNotContain("\u001B");
    }

    private void a_plain_message_writes_no_event() {
        assertThat(journey(SearchTerm.message("plain")).entries())
                .extracting(JourneyEntry::step)
                .containsExactly(Step.APPENDED, Step.PUBLISHED, Step.HANDLED);
        assertThat(dsl.fetchCount(DSL.table(schema.table("message_event")), DSL.condition("message_id = 'plain'")))
                .isZero();
    }

    private void the_command_says_the_same() {
        Result table = program.run("trace", "debit-42");
        assertThat(table.exitCode()).isZero();
        assertThat(table.out()
                        .lines()
                        .skip(1)
                        .map(line -> line.substring(25).trim().split(" ", 2)[0]))
                .containsExactly(
                        Stream.of(EVERYTHING).map(TraceCommandTest::word).toArray(String[]::new));
        assertThat(table.out())
                .contains(
                        "payload: 21 bytes -> 2 bytes", "operator bob", "by the broker's clock", MuchTriedMessage.TRACE)
                .doesNotContain("hundred");
        JsonNode json = program.run("trace", "debit-42", "--json").json();
        assertThat(json.get("recorded").asText()).isEqualTo("recorded");
        assertThat(json.get("entries").findValuesAsText("step"))
                .containsExactly(
                        Stream.of(EVERYTHING).map(TraceCommandTest::word).toArray(String[]::new));
        JsonNode failed = json.get("entries").get(8);
        assertThat(failed.get("place").asText()).isEqualTo("ledger");
        assertThat(failed.get("details").get("description").asText()).contains("no such wallet", "at dev.waybill");
        assertThat(json.get("entries").get(7).get("clock").asText()).isEqualTo("broker");
        assertThat(json.get("leftOut")).isEmpty();
        assertThat(program.run("trace", "debit-42", "--limit", "5").out())
                .contains("Left out, the earliest first:", "events, ", "entries. --limit shows more.");
    }

    private void the_page_shows_what_the_command_prints() throws Exception {
        Path page = Path.of("../../docs/operations/trace.md");
        String printed = program.run("trace", "debit-42").out();
        Matcher shown = Pattern.compile("(?s)\\$ waybill-relay trace debit-42\n(.*?)```")
                .matcher(Files.readString(page));
        assertThat(shown.find()).isTrue();
        if (Boolean.getBoolean("waybill.docs.write")) {
            String text = Files.readString(page);
            Files.writeString(page, text.substring(0, shown.start(1)) + printed + text.substring(shown.end(1)));
        } else {
            assertThat(masked(shown.group(1))).isEqualTo(masked(printed));
        }
    }

    // Times, transactions and widths differ from run to run.
    private static String masked(String table) {
        return table.replaceAll("\\d{4}-\\d\\d-\\d\\d [0-9:.]+", "TIME")
                .replaceAll("transaction \\d+", "transaction N")
                .replaceAll("database user \\S+", "database user ada,")
                .replaceAll("debit-42~\\w+", "debit-42~x")
                .replaceAll(" +", " ");
    }

    private void other_names_lead_to_it(Journey journey) {
        String copy = journey.entries().stream()
                .flatMap(entry -> Stream.ofNullable(entry.details().get("broker id")))
                .findFirst()
                .orElseThrow();
        assertThat(copy).startsWith("debit-42~");
        assertThat(journey(SearchTerm.brokerId(copy)).entries()).isEqualTo(journey.entries());
        assertThat(journey(SearchTerm.brokerId("debit-42")).entries()).isEqualTo(journey.entries());
        dsl.execute("truncate " + schema.table("outbox_published"));
        assertThat(journey(SearchTerm.brokerId(copy)).entries())
                .as("the copy's id begins with that of its message")
                .extracting(JourneyEntry::step)
                .startsWith(Step.APPENDED, Step.HELD)
                .endsWith(Step.HANDLED, Step.DUPLICATE);
        for (SearchTerm sought : List.of(SearchTerm.session("wallet-7"), SearchTerm.traceId(MuchTriedMessage.TRACE))) {
            assertThat(journey(sought).entries())
                    .as(sought.toString())
                    .extracting(entry -> entry.place().message())
                    .contains("debit-42");
        }
        assertThat(journey(SearchTerm.session("wallet-7")).entries())
                .extracting(entry -> entry.place().message())
                .contains("debit-43");
    }

    private void an_id_of_another_kind_is_pointed_to() {
        Result unknown = program.run("trace", "debit-99");
        assertThat(unknown.exitCode()).isEqualTo(3);
        assertThat(unknown.err())
                .contains(
                        "Nothing is known of a message 'debit-99'. The database does not see what is on the broker alone")
                .contains("nor a dead letter before a collector takes it")
                .doesNotContain("Did you mean");
        assertThat(program.run("trace", "--session", "w-99").err()).contains("trace its id");
        Result session = program.run("trace", "wallet-7");
        assertThat(session.exitCode()).isEqualTo(3);
        assertThat(session.err()).contains("Did you mean --session 'wallet-7'?");
        assertThat(program.run("trace", "--session", "debit-42").err()).contains("Did you mean trace 'debit-42'");
        assertThat(program.run("trace").exitCode()).isEqualTo(2);
        assertThat(program.run("trace", "a", "--session", "b").exitCode()).isEqualTo(2);
        assertThat(program.run("trace", "a", "--limit", "0").exitCode()).isEqualTo(2);
    }

    private void a_role_that_only_reads_sees_it_all() throws Exception {
        try (var role = new TemporaryRole(database, schema, Role.READONLY)) {
            Journey seen = Journeys.in(role.pool(), schema).of(SearchTerm.message("debit-42"), 100);
            assertThat(seen).isEqualTo(journey(SearchTerm.message("debit-42")));
            dsl.execute("revoke select on " + schema.table("message_event") + " from " + schema + "_readonly");
            Journey less = Journeys.in(role.pool(), schema).of(SearchTerm.message("debit-42"), 100);
            assertThat(less.record().state()).isEqualTo(Recorded.State.NOT_READABLE);
            assertThat(less.entries()).extracting(JourneyEntry::step).contains(Step.COLLECTED, Step.HANDLED);
        }
    }

    private static String word(Step step) {
        return step.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private Journey journey(SearchTerm sought) {
        return Journeys.in(database.dataSource(), schema).of(sought, 100);
    }
}
