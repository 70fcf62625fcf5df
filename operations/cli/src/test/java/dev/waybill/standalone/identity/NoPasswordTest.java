package dev.waybill.standalone.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.migrations.Role;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.SecuredPostgres;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.ProcessEnvironment;
import dev.waybill.standalone.config.Sources;
import dev.waybill.standalone.database.Pools;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A role whose password is a token that ends, on a server that asks each new connection for it. */
@Timeout(120)
class NoPasswordTest {
    @TempDir
    private static Path folder;

    private static SecuredPostgres postgres;
    private static HikariDataSource owner;
    private static DSLContext dsl;

    @BeforeAll
    static void start() {
        postgres = SecuredPostgres.start(folder);
        owner = postgres.server().newPool(2);
        dsl = DSL.using(owner, SQLDialect.POSTGRES);
        dsl.execute(Migrations.sql(SchemaName.DEFAULT, Feature.all()));
        dsl.execute("create role keyless login password 'none'");
        dsl.execute(Role.RELAY.grants(SchemaName.DEFAULT, "keyless", Feature.all()));
    }

    @AfterAll
    static void stop() {
        owner.close();
        postgres.close();
    }

    @BeforeEach
    void issue() {
        ChangingPasswords.RENEWALS.set(0);
        serverTakes(0);
    }

    @AfterEach
    void mend() {
        ChangingPasswords.otherwise = Optional.empty();
    }

    private static void serverTakes(int renewals) {
        dsl.execute("alter role keyless password '" + ChangingPasswords.password(renewals) + "'");
    }

    private Program program(String more) {
        return Program.with(
                folder, """
                database:
                  main:
                    url: "%s"
                    user: keyless
                    credential: changing
                namespace: { main: { host: none.servicebus.invalid } }
                destination: { orders: {} }
                """.formatted(postgres.urlAt("localhost") + "?sslrootcert=" + postgres.certificate()) + more);
    }

    @Test
    void a_command_signs_in_by_a_token_and_by_the_next_one_when_the_server_refuses_it() {
        assertThat(status(program("")).err()).doesNotContain("keyless");
        assertThat(ChangingPasswords.RENEWALS).hasValue(0);

        serverTakes(1);

        assertThat(status(program("")).err()).doesNotContain("keyless");
        assertThat(ChangingPasswords.RENEWALS).hasValue(1);
    }

    private static Result status(Program program) {
        Result status = program.run("status");
        assertThat(status.exitCode()).as(status.err()).isNotIn(1, 2, 5);
        return status;
    }

    @Test
    void a_token_that_stays_refused_is_told_with_identity_and_role_after_one_renewal() {
        serverTakes(99);

        Result refused = program("").run("status");

        assertThat(refused.exitCode()).isEqualTo(5);
        assertThat(refused.err()).contains("role 'keyless'", "the identity changing", "password authentication failed");
        assertThat(ChangingPasswords.RENEWALS).hasValue(1);
    }

    /** Entra refuses a process that asks in a loop. */
    @Test
    void a_role_that_stays_refused_does_not_ask_for_a_token_with_each_attempt() {
        serverTakes(99);
        program("");
        var configuration = Configuration.of(Sources.of(
                Map.of(), new ProcessEnvironment(Map.of(), Map.of()), Optional.of(folder.resolve("waybill.yaml"))));
        try (HikariDataSource pool = Pools.forRelay(configuration.databases().get(0), "one")) {
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(pool::getConnection).hasStackTraceContaining("The server refuses role 'keyless'");
            }
        }
        assertThat(ChangingPasswords.RENEWALS).hasValue(1);
    }

    @Test
    void a_source_that_cannot_be_loaded_is_told_and_harms_no_other() throws Exception {
        Path services = Files.createDirectories(folder.resolve("iam/META-INF/services"));
        Files.writeString(services.resolve(PasswordSource.class.getName()), "com.example.IamPasswords\n");
        program("");
        Program program = Program.of(
                folder.resolve("iam") + File.pathSeparator + System.getProperty("java.class.path"),
                folder,
                Files.readString(folder.resolve("waybill.yaml")));

        Result refused = program.runProcess("status", "--set", "database.main.credential=iam");
        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err())
                .contains("there is no credential 'iam'", "Not loaded: ", "com.example.IamPasswords")
                .doesNotContain("\tat ");

        assertThat(program.runProcess("status").exitCode()).isNotIn(1, 2, 5);
    }

    static Stream<Arguments> sourcesWithoutAPassword() {
        Supplier<String> failing = () -> {
            throw new IllegalStateException("This identity is not known here");
        };
        Supplier<String> incomplete = () -> {
            throw new NoClassDefFoundError("RdsUtilities");
        };
        return Stream.of(
                Arguments.of(failing, "This identity is not known here"),
                Arguments.of(incomplete, "RdsUtilities"),
                Arguments.of((Supplier<String>) () -> null, "the source gave none"));
    }

    @ParameterizedTest
    @MethodSource("sourcesWithoutAPassword")
    void an_identity_without_a_token_is_told_with_its_words(Supplier<String> source, String words) {
        ChangingPasswords.otherwise = Optional.of(source);

        Result refused = program("").run("status");

        assertThat(refused.exitCode()).isEqualTo(5);
        assertThat(refused.err())
                .contains("role 'keyless' of database 'main'", "the identity changing", words)
                .doesNotContain("cannot be reached");
    }

    /** The SDK tries for longer than a connection may take, and the time-out alone names nobody. */
    @Test
    @Tag("long")
    void a_host_that_gives_no_token_is_told_with_the_proxy_of_the_jvm() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "eyJhbGciOiJub25lIn0.e30.");
        Map<String, String> variables = Map.of(
                "AZURE_CLIENT_ID", "11111111-1111-1111-1111-111111111111",
                "AZURE_TENANT_ID", "22222222-2222-2222-2222-222222222222",
                "AZURE_FEDERATED_TOKEN_FILE", token.toString(),
                "JAVA_TOOL_OPTIONS", "-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=1");

        Result refused =
                program("").runProcess(variables, "status", "--set", "database.main.credential=workload-identity");

        assertThat(refused.exitCode()).isEqualTo(5);
        assertThat(refused.err())
                .contains("No password for role 'keyless' of database 'main' with the identity workload-identity")
                .contains("login.microsoftonline.com through the JVM's proxy 127.0.0.1:1: ")
                .doesNotContain("NANOSECONDS");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "database.main.password=x | has a credential and a password",
                "database.main.url=jdbc:postgresql://localhost/x?password=y | has a credential and a password",
                "database.main.url=jdbc:postgresql://db/x?sslmode=prefer | may send the credential's token in the clear",
                "database.main.credential=workload-identity | lacks AZURE_CLIENT_ID, AZURE_TENANT_ID, AZURE_FEDERATED",
                "database.main.user= | credential needs database.main.user",
                "database.main.credential=managed | there is no credential 'managed'",
            })
    void a_credential_that_cannot_serve_is_bad_input(String setting, String words) {
        Result refused = program("").run("status", "--set", setting);

        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err()).contains(words);
    }

    @Test
    void a_key_of_a_certificate_is_no_password_and_loopback_needs_no_tls() {
        Result accepted = program("")
                .run(
                        "config",
                        "print",
                        "--set",
                        "database.main.url=jdbc:postgresql://127.0.0.1/x?sslmode=disable&sslpassword=y");

        assertThat(accepted.exitCode()).as(accepted.err()).isZero();
    }

    @Test
    void a_topology_check_names_the_missing_variables_of_a_workload_identity() {
        Result found = program("").run("topology", "check", "--set", "namespace.main.credential=workload-identity");

        assertThat(found.exitCode()).isEqualTo(2);
        assertThat(found.out() + found.err())
                .contains("namespace.main.credential is workload-identity", "AZURE_TENANT_ID")
                .doesNotContain("does not answer: ");
    }

    @Test
    void doctor_names_the_credential_of_a_database_that_it_cannot_reach() {
        ChangingPasswords.otherwise = Optional.of(() -> null);

        assertThat(program("").run("doctor").out())
                .contains("database.main: url, user, credential;")
                .doesNotContain("user, password");
    }
}
