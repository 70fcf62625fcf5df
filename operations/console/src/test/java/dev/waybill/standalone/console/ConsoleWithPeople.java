package dev.waybill.standalone.console;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import java.nio.file.Path;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A console with people, an example of everything, and a browser. */
@ExtendWith(PostgresExtension.class)
@Timeout(90)
abstract class ConsoleWithPeople {
    final Browser browser = Browser.shared();

    @TempDir
    Path directory;

    TestDatabase database;
    RunningConsole console;
    DSLContext dsl;

    @BeforeEach
    void start(TestDatabase database) {
        this.database = database;
        console = RunningConsole.withPeople(database, directory, options());
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        ExampleOutbox.fill(dsl, database.schema());
    }

    /** Names and values beside the users. */
    String[] options() {
        return new String[0];
    }
}
