package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.config.ConfigException;
import dev.waybill.standalone.console.RawHttp.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Fields that console.redact names are on no page, in no form and in no file, and no edit loses them. */
@ExtendWith(PostgresExtension.class)
@Timeout(90)
class ConsoleRedactTest {
    private static final String FIELDS =
            "body:/customer/email, body:/note, property:ssn, subject, description, content-type";

    @TempDir
    private Path directory;

    private TestDatabase database;
    private RunningConsole console;
    private DSLContext dsl;

    @BeforeEach
    void start(TestDatabase database) {
        this.database = database;
        console = RunningConsole.withPeople(database, directory, "console.redact", FIELDS);
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        ExampleOutbox.fill(dsl, database.schema());
        String letter = database.schema() + ".dead_letter_message";
        dsl.execute("update " + letter + " set headers = '{\"ssn\":\"topsecret1\",\"tenant\":\"blue\"}',"
                + " subject = 'topsecret2', description = 'topsecret3', content_type = 'application/json',"
                + " payload = convert_to('{\"customer\":{\"email\":\"topsecret4\",\"id\":7}}', 'UTF8') where id = 1");
        dsl.execute("update " + letter + " set payload = convert_to('topsecret5', 'UTF8') where id = 2");
        dsl.execute("insert into " + database.schema()
                + ".dead_letter_version (dead_letter, version, subject, headers, body_kind, payload)"
                + " select id, 1, 'topsecret6', '{\"ssn\":\"topsecret7\"}', body_kind, convert_to('{\"customer\":{\"email\":\"topsecret8\"}}', 'UTF8')"
                + " from " + letter + " where id = 1");
        dsl.execute("update " + letter + " set version = 2 where id = 1");
        dsl.execute("update " + database.schema() + ".outbox_held_message set subject = 'topsecret9'");
        dsl.execute("update " + database.schema() + ".outbox_hold set description = 'topsecret0'");
    }

    @Test
    void no_page_shows_what_is_hidden() {
        RawHttp olga = console.as("olga");

        for (String path : List.of(
                "/dead-letters?db=main",
                "/dead-letter?db=main&id=1",
                "/dead-letter/edit?db=main&id=1",
                "/dead-letter/edit?db=main&id=2",
                "/dead-letters/many?db=main&deed=discard",
                "/body?db=main&letter=1",
                "/body?db=main&letter=1&as=text",
                "/body?db=main&letter=1&as=bytes",
                "/body?db=main&letter=2",
                "/body?db=main&scope=orders&message=debit-42&session=wallet-7",
                "/hold?db=main&side=outbox&id=1",
                "/held?db=main",
                "/hold/edit?db=main&side=outbox&id=1&place=1",
                "/messages?db=main&by=message&text=orders-1",
                "/messages?db=main&by=message&text=debit-42")) {
            Answer page = olga.get(path);
            assertThat(page.status()).as(path).isEqualTo(200);
            assertThat(page.body()).as(path).doesNotContain("topsecret", "74 6f 70", "große");
        }
        assertThat(olga.get("/body?db=main&letter=1").body())
                .contains("&quot;email&quot; : null", "&quot;id&quot; : 7");
        assertThat(olga.get("/body?db=main&letter=2").body()).contains("It is not shown", "is no JSON");
        assertThat(olga.get("/dead-letter?db=main&id=1").body()).contains("masked", "blue");
        assertThat(olga.get("/dead-letters/many?db=main&deed=export").status()).isEqualTo(403);
    }

    @Test
    void an_edit_of_the_rest_keeps_what_is_hidden() {
        RawHttp olga = console.as("olga");
        Answer form = olga.get("/dead-letter/edit?db=main&id=1");
        assertThat(form.body()).contains("hidden by console.redact").doesNotContain("<textarea", "name=\"subject\"");
        var fields = new ArrayList<>(List.of(
                "csrf",
                form.hidden("csrf"),
                "correlation-id",
                "",
                "property:tenant",
                "green",
                "new-name",
                "",
                "new-value",
                ""));
        fields.addAll(List.of("subject", "forged", "property:ssn", "forged", "body", "forged"));
        Answer preview = olga.post("/dead-letter/edit/preview?db=main&id=1", fields.toArray(String[]::new));
        assertThat(preview.body()).contains("green").doesNotContain("topsecret", "forged");
        fields.addAll(List.of("seen", preview.hidden("seen"), "reason", "x"));

        assertThat(olga.post("/dead-letter/edit?db=main&id=1", fields.toArray(String[]::new))
                        .header("Location"))
                .endsWith("done=letter-edited");
        assertThat(dsl.fetchSingle("select headers || subject || convert_from(payload, 'UTF8') from "
                                + database.schema() + ".dead_letter_message where id = 1")
                        .get(0, String.class))
                .contains("topsecret1", "topsecret2", "topsecret4", "green")
                .doesNotContain("forged", "null");
    }

    @Test
    void a_field_that_there_is_not_keeps_the_console_from_starting() {
        assertThatThrownBy(() -> RunningConsole.withPeople(database, directory, "console.redact", "bdoy"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("console.redact")
                .hasMessageContaining("bdoy");
    }
}
