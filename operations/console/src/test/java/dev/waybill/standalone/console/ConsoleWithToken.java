package dev.waybill.standalone.console;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.console.RawHttp.Answer;
import dev.waybill.standalone.console.access.TokensFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A console with hidden parts, an example of everything, people and a program's token. */
@ExtendWith(PostgresExtension.class)
abstract class ConsoleWithToken {
    static final String MAIN = "/api/v1/databases/main";

    @TempDir
    Path directory;

    RunningConsole console;
    DSLContext dsl;
    String schema;
    String token;

    @BeforeEach
    void start(TestDatabase database) throws IOException {
        TokensFile.Made made = TokensFile.make("ci", "operator", LocalDate.of(2099, 1, 1));
        token = made.token();
        Path tokens = Files.writeString(directory.resolve("tokens"), made.line() + "\n");
        console = RunningConsole.withPeople(
                database,
                directory,
                "console.tokens-file",
                tokens.toString(),
                "console.redact",
                "subject, description, property:ssn, body:/customer/email");
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        schema = database.schema();
        ExampleOutbox.fill(dsl, schema);
    }

    final RawHttp program() {
        return console.http().with("Authorization", "Bearer " + token);
    }

    final Answer post(String path, String tag, String json) {
        RawHttp typed = program().with("Content-Type", "application/json");
        return (tag.isEmpty() ? typed : typed.with("If-Match", tag)).postText(MAIN + path, json);
    }
}
