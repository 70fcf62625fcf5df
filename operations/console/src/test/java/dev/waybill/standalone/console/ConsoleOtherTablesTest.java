package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.schema.SchemaVersion;
import dev.waybill.standalone.console.RawHttp.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tables of another version than the console reads: it says which, and what to do. */
@Timeout(60)
class ConsoleOtherTablesTest extends ConsoleWithToken {
    private void installed(int version) {
        dsl.execute("create table if not exists " + schema + ".waybill_migration (version text, success boolean)");
        dsl.execute("delete from " + schema + ".waybill_migration");
        dsl.execute("insert into " + schema + ".waybill_migration values ('" + version + "', true)");
    }

    private void rename(String table) {
        dsl.execute("alter table " + schema + "." + table + " rename to " + table + "_of_another_version");
    }

    private List<Answer> audit(RawHttp person) {
        return List.of(person.get("/audit?db=main"), program().get(MAIN + "/audit"));
    }

    @Test
    void pages_and_answers_about_tables_of_another_version_say_which_and_what_to_do() {
        RawHttp olga = console.as("olga");
        rename("outbox_pause_audit");
        installed(SchemaVersion.CURRENT - 1);
        for (Answer older : audit(olga)) {
            assertThat(older.status()).isEqualTo(503);
            assertThat(older.body())
                    .contains("of version " + (SchemaVersion.CURRENT - 1))
                    .contains("this program needs " + SchemaVersion.CURRENT, "waybill-relay migrate up")
                    .doesNotContain("does not exist");
        }
        assertThat(olga.get("/").body()).contains("of version " + (SchemaVersion.CURRENT - 1));

        installed(SchemaVersion.CURRENT + 1);
        for (Answer newer : audit(olga)) {
            assertThat(newer.body())
                    .contains("of version " + (SchemaVersion.CURRENT + 1))
                    .contains("use the program that belongs to them")
                    .doesNotContain("does not exist");
        }
    }

    @Test
    void an_overview_of_newer_tables_that_lack_something_says_so() {
        RawHttp olga = console.as("olga");
        rename("outbox_sample");
        installed(SchemaVersion.CURRENT + 1);

        assertThat(olga.get("/").body())
                .contains("of version " + (SchemaVersion.CURRENT + 1))
                .doesNotContain("does not exist");
    }

    @Test
    void sessions_in_tables_of_another_version_are_told_in_the_log() {
        rename("console_session");
        installed(SchemaVersion.CURRENT - 1);
        Answer refused = console.http()
                .fromOurPage()
                .post("/sign-in", "name", "olga", "password", RunningConsole.PASSWORD, "to", "");

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("of another version").doesNotContain(schema, "does not exist");
        assertThat(console.logged())
                .anyMatch(line -> line.contains("of version " + (SchemaVersion.CURRENT - 1))
                        && line.contains("waybill-relay migrate up"));
    }
}
