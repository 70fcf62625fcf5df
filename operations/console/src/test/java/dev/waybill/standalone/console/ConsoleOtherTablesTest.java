package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.console.RawHttp.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tables that the console misses: it says which feature they belong to, and what to do. */
@Timeout(60)
class ConsoleOtherTablesTest extends ConsoleWithToken {
    private void rename(String table) {
        dsl.execute("alter table " + schema + "." + table + " rename to " + table + "_of_another_version");
    }

    @Test
    void pages_and_answers_about_a_missing_feature_say_which_and_what_to_do() {
        RawHttp olga = console.as("olga");
        dsl.execute("drop view " + schema + ".dead_letter");
        for (Answer missing :
                List.of(olga.get("/dead-letters?db=main"), program().get(MAIN + "/dead-letters"))) {
            assertThat(missing.body())
                    .contains("waybill-relay migrate up dead-letters")
                    .doesNotContain("does not exist");
        }
    }

    @Test
    void sessions_without_their_table_are_told_in_the_log() {
        rename("console_session");
        Answer refused = console.http()
                .fromOurPage()
                .post("/sign-in", "name", "olga", "password", RunningConsole.PASSWORD, "to", "");

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).doesNotContain(schema, "does not exist");
        assertThat(console.logged()).anyMatch(line -> line.contains("waybill-relay migrate up console"));
    }
}
