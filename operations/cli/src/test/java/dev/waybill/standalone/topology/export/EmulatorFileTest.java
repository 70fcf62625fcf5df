package dev.waybill.standalone.topology.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicebus.embedded.emulator.EmulatorConfig;
import dev.waybill.standalone.Program;
import dev.waybill.standalone.Program.Result;
import dev.waybill.standalone.topology.export.Export.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EmulatorFileTest {
    @TempDir
    private Path directory;

    @Test
    void a_broker_that_reads_the_file_has_what_is_declared() throws IOException {
        // The file has no words for partitions and sizes of messages.
        String declared =
                Declared.full("premium").replace(", partitioned: true", "").replace(", max-message-size: 2MiB", "");
        Export export = Declared.export(declared, Format.EMULATOR);

        try (var bus = EmulatorConfig.parse(export.text()).administrationPort(0).start()) {
            String there = declared.replace(
                    "host: waybill-test.servicebus.windows.net",
                    "connection-string: \"" + bus.connectionString()
                            + "\", administration-endpoint: \"http://127.0.0.1:" + bus.administrationPort() + "\"");
            Result check = Program.with(directory, there).run("topology", "check");
            assertThat(check.exitCode()).as(check.out() + check.err()).isZero();
        }
    }

    @Test
    void what_microsofts_emulator_cannot_do_is_told_and_nothing_else() {
        Export export = Declared.export(Declared.full("premium"), Format.EMULATOR);
        assertThat(export.warnings())
                .anySatisfy(warning -> assertThat(warning).contains("orders-in is partitioned"))
                .anySatisfy(warning -> assertThat(warning).contains("grave/yard takes messages of more than 256 KiB"))
                .anySatisfy(warning -> assertThat(warning).contains("grave/yard has a duplicate window of PT1H"))
                .anySatisfy(warning -> assertThat(warning).contains("orders has a time to live of PT168H"));
        Export fitting = Declared.export("""
                namespace: { main: { host: a.servicebus.windows.net } }
                destination: { orders: { duplicate-window: 5m, time-to-live: 1h } }
                """, Format.EMULATOR);
        assertThat(fitting.warnings()).isEmpty();
    }

    @Test
    @Tag("long")
    void an_export_needs_neither_database_nor_namespace_and_writes_a_file_for_each_namespace() throws IOException {
        Program program = Program.with(directory, """
                namespace: { one: { host: one-test.servicebus.windows.net }, two: { host: two-test.servicebus.windows.net } }
                destination: { orders: { namespace: one }, mail: { namespace: two } }
                """);
        Path out = directory.resolve("infra");

        for (Format format : Format.values()) {
            Result written = program.run(
                    "topology", "export", "--format", format.name().toLowerCase(Locale.ROOT), "--out", out.toString());
            assertThat(written.exitCode()).as(written.err()).isEqualTo(format == Format.EMULATOR ? 10 : 0);
            assertThat(Files.readString(out.resolve("one").resolve(format.file())))
                    .contains("orders")
                    .doesNotContain("mail");
            assertThat(out.resolve("two").resolve(format.file())).content().contains("mail");
        }
        assertThat(program.run("topology", "export", "--format", "bicep").exitCode())
                .isEqualTo(2);
        Result printed = program.run("topology", "export", "--format", "bicep", "--namespace", "one");
        assertThat(printed.out()).isEqualTo(Files.readString(out.resolve("one").resolve("main.bicep")));
        assertThat(program.runProcess("topology", "export", "--format", "bicep", "--namespace", "one")
                        .out())
                .as("a process writes all of it before it ends")
                .isEqualTo(printed.out());
        assertThat(program.run("topology", "export", "--format", "pulumi", "--namespace", "one")
                        .exitCode())
                .isEqualTo(2);
    }
}
