package dev.waybill.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fixtures of released versions: their migrations, which must never change again, and the statements that their processes send, which
 * must run on the newest tables, for old processes go on beside new ones and can be started again.
 */
@ExtendWith(PostgresExtension.class)
class ReleasesTest {
    private static final Path RELEASED = Path.of("src/test/resources/released");
    private static final Path SCRIPTS = Path.of("src/main/resources/dev/waybill/migrations/sql");

    @ParameterizedTest
    @ValueSource(strings = "0.9.0")
    void a_migration_that_was_released_is_never_changed(String version) throws Exception {
        List<String> lines = Files.readAllLines(RELEASED.resolve(version).resolve("migrations.sha256"));

        assertThat(lines).isNotEmpty().allSatisfy(line -> {
            String script = line.substring(line.lastIndexOf(' ') + 1);
            assertThat(digest(SCRIPTS.resolve(script))).as(script).isEqualTo(line.substring(0, line.indexOf(' ')));
        });
    }

    private static String digest(Path script) throws IOException, NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(script)));
    }

    @ParameterizedTest
    @ValueSource(strings = "0.9.0")
    void statements_of_a_released_process_run_on_the_newest_tables(String version, TestDatabase database)
            throws Exception {
        database.createTables(Migrations.sql(new SchemaName(database.schema()), 0));
        String[] statements = Files.readString(
                        RELEASED.resolve(version).resolve("statements.sql"), StandardCharsets.UTF_8)
                .split(";\n\n?", -1);
        var refused = new ArrayList<String>();
        try (Connection connection = database.dataSource().getConnection();
                Statement server = connection.createStatement()) {
            for (String statement : statements) {
                if (!statement.isBlank()) {
                    prepare(server, statement.replaceAll("\\bwaybill\\b(?=\\.)", database.schema()), refused);
                }
            }
        }
        assertThat(statements).hasSizeGreaterThan(150);
        assertThat(refused).isEmpty();
    }

    private static void prepare(Statement server, String statement, List<String> refused) {
        try {
            server.execute("prepare released as " + statement);
            server.execute("deallocate released");
        } catch (SQLException e) {
            refused.add(e.getMessage() + "\n" + statement);
        }
    }
}
