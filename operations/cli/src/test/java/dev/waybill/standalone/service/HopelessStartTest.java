package dev.waybill.standalone.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.Program;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What no retry can heal ends the process, and is refused before the first connection where that is possible. */
@ExtendWith(PostgresExtension.class)
@Timeout(120)
class HopelessStartTest {
    private static final String ENDPOINT = "Endpoint=sb://localhost:1;SharedAccessKeyName=n;SharedAccessKey=secret";

    @TempDir
    private Path directory;

    private Program program(String database, String connectionString) {
        return Program.with(directory, database + """
                namespace: { main: { connection-string: "%s" } }
                destination: { orders: {}, bills: {} }
                http: { port: 0, bind: 127.0.0.1 }
                """.formatted(connectionString));
    }

    @Test
    void a_time_zone_that_postgresql_does_not_know_ends_the_relay_with_1(TestDatabase database) {
        Program.Result ended = program(Program.database(database), ENDPOINT)
                .runProcess(Map.of("JAVA_TOOL_OPTIONS", "-Duser.timezone=IST"), "run");

        assertThat(ended.exitCode()).as(ended.out() + ended.err()).isEqualTo(1);
        assertThat(ended.out() + ended.err()).contains("time zone 'IST'", "-Duser.timezone");
    }

    @ParameterizedTest
    @CsvSource({
        ";EntityPath=orders, EntityPath",
        "; entitypath = orders;, entitypath",
        ";TransportType=AmqpWebSockets, TransportType",
        ";OperationTimeout=00:01:00, OperationTimeout",
        ";StsEndpoint=https://x, StsEndpoint",
        ";Runtime Port=1, Runtime Port",
        ";secret2, part without '='"
    })
    void a_connection_string_that_the_client_library_refuses_is_bad_input_and_its_key_is_named(
            String addition, String word) {
        Program.Result refused = program(
                        "database: { main: { url: \"jdbc:postgresql://localhost:1/none\" } }\n", ENDPOINT + addition)
                .run("run");

        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err()).contains(word).doesNotContain("secret");
    }

    @Test
    void a_connection_string_of_a_namespace_is_taken_however_it_is_written() {
        for (String taken : new String[] {
            "", ";", ";UseDevelopmentEmulator=true;", "; ",
        }) {
            Program.Result printed = program(
                            "database: { main: { url: \"jdbc:postgresql://localhost:1/none\" } }\n", ENDPOINT + taken)
                    .run("config", "print", "--redacted");

            assertThat(printed.exitCode()).as(taken + printed.err()).isZero();
        }
    }
}
