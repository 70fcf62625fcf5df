package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.console.RawHttp.Answer;
import dev.waybill.standalone.message.BodyText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that are XML, or lie outside their messages. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class ConsoleBodiesTest {
    private static final String CLAIM = "11111111-2222-3333-4444-555555555555";

    @TempDir
    private Path directory;

    private static List<String> xml(String text) {
        return new BodyText(text.getBytes(StandardCharsets.UTF_8), "application/xml", 1 << 20).xmlLines();
    }

    @Test
    void xml_has_an_element_a_line_and_says_what_it_said() {
        assertThat(xml(
                        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><!-- c --><o:order xmlns:o=\"urn:o\" id='\"&lt;7'>"
                                + "<item n=\"1\"/>\n<note>a &amp; <b>bold</b> word</note><raw><![CDATA[1<2]]></raw><s> </s>"
                                + "<?do it?></o:order>"))
                .containsExactly(
                        "<?xml version=\"1.0\"?>",
                        "<!-- c -->",
                        "<o:order xmlns:o=\"urn:o\" id=\"&quot;&lt;7\">",
                        "  <item n=\"1\"/>",
                        "  <note>a &amp; <b>bold</b> word</note>",
                        "  <raw>1&lt;2</raw>",
                        "  <s> </s>",
                        "  <?do it?>",
                        "</o:order>");
        assertThat(xml("<a>\u202eevil</a>")).containsExactly("<a>\\u{202e}evil</a>");
    }

    @Test
    void a_mark_of_utf_8_before_a_document_is_no_part_of_it() {
        assertThat(xml("\ufeff<?xml version=\"1.0\" encoding=\"utf-8\"?><a/>"))
                .containsExactly("<?xml version=\"1.0\"?>", "<a/>");
        var json = new BodyText("\ufeff{\"a\": 1}".getBytes(StandardCharsets.UTF_8), "application/json", 100);
        assertThat(json.jsonLines()).containsExactly("{", "  \"a\" : 1", "}");
        assertThat(json.textLines()).containsExactly("\\u{feff}{\"a\": 1}");
    }

    @Test
    void xml_that_names_entities_or_files_or_grows_is_not_read_as_xml() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "TOPSECRET");
        String bomb = "<!DOCTYPE a [<!ENTITY x \"" + "y".repeat(1_000) + "\">]><a>" + "&x;".repeat(10_000) + "</a>";
        String file = "<!DOCTYPE a [<!ENTITY x SYSTEM \"" + secret.toUri() + "\">]><a>&x;</a>";
        String parameter = "<!DOCTYPE a SYSTEM \"" + secret.toUri() + "\"><a/>";
        String include = "<a xmlns:xi=\"http://www.w3.org/2001/XInclude\"><xi:include href=\"" + secret.toUri()
                + "\" parse=\"text\"/></a>";

        assertThat(List.of(bomb, file, parameter, "<a>&unknown;</a>", "<a>", "a<b/>", "<a/><b/>", "{}", ""))
                .allSatisfy(text -> assertThat(xml(text)).isEmpty());
        assertThat(xml(include).toString()).contains("xi:include").doesNotContain("TOPSECRET");
        assertThat(xml("<a>".repeat(101) + "</a>".repeat(101))).isEmpty();
        assertThat(xml("<a>".repeat(40_000) + "</a>".repeat(40_000))).isEmpty();
        assertThat(xml("<a>".repeat(90) + "<b/>".repeat(60_000) + "</a>".repeat(90)))
                .as("becomes too long by its indentation")
                .isEmpty();
    }

    @Test
    void a_body_is_shown_as_xml_and_one_outside_its_message_by_its_place_and_length(TestDatabase database) {
        RunningConsole console = RunningConsole.withPeople(database, directory, "console.body-limit", "4KiB");
        DSLContext dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        String schema = database.schema();
        ExampleOutbox.fill(dsl, schema);
        dsl.execute("update " + schema + ".dead_letter_message set payload = convert_to("
                + "'<order><id>1</id></order>', 'UTF8'), content_type = 'application/xml' where id = 1");
        dsl.execute("update " + schema + ".dead_letter_message set payload = '', headers = '{\"waybill-claim\": \""
                + CLAIM + "\"}' where id = 2");
        RawHttp olga = console.as("olga");

        assertThat(olga.get("/body?db=main&letter=1").body())
                .contains("&lt;order&gt;\n  &lt;id&gt;1&lt;/id&gt;\n&lt;/order&gt;", "as=xml", "as=text");
        assertThat(claimed(olga)).contains("knows nothing of", CLAIM).doesNotContain("bytes, the", "as=bytes");
        dsl.execute("insert into " + schema
                + ".outbox_claim (digest, claim, destination, message_id, bytes) values (gen_random_uuid(), '" + CLAIM
                + "', 'orders', 'orders-2', 123456)");
        assertThat(claimed(olga)).contains("in a store of its own, outside this database", "123456 bytes");
        dsl.execute("insert into " + schema + ".outbox_claim_body values ('" + CLAIM + "', 'TOPSECRET')");
        assertThat(claimed(olga))
                .contains("in this database, in the table outbox_claim_body", "9 bytes")
                .doesNotContain("TOPSECRET");
        assertThat(console.audited())
                .noneMatch(line -> line.contains("body of dead letter 2"))
                .anyMatch(line -> line.contains("body of dead letter 1"));
    }

    private static String claimed(RawHttp person) {
        Answer answer = person.get("/body?db=main&letter=2");
        assertThat(answer.status()).isEqualTo(200);
        return answer.body();
    }
}
