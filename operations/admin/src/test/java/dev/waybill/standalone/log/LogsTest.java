package dev.waybill.standalone.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogsTest {
    private final LoggerContext context = new LoggerContext();

    @TempDir
    private Path directory;

    private Path file;
    private LevelFile levels;

    @BeforeEach
    void configure() {
        file = directory.resolve("waybill.level");
        Logs.levels(context, Level.INFO);
        levels = Logs.levelFile(context, Level.INFO, file);
    }

    @Test
    void a_line_is_one_json_object_without_anything_empty() throws Exception {
        String line = line("a \"quoted\" path C:\\x\nsecond\tline \u2028 \ud800 \u0000 ä", null);

        assertThat(line).endsWith("}\n").doesNotContain("null").doesNotContain("mdc");
        assertThat(line.strip().lines()).hasSize(1);
        JsonNode json = new ObjectMapper().readTree(line);
        assertThat(json.fieldNames()).toIterable().containsExactly("time", "level", "instance", "logger", "message");
        assertThat(json.get("time").asText()).isEqualTo("2026-02-03T04:05:06.007Z");
        assertThat(json.get("instance").asText()).isEqualTo("relay \"1\"");
        assertThat(json.get("message").asText())
                .startsWith("a \"quoted\" path C:\\x\nsecond\tline")
                .endsWith("ä");
    }

    @Test
    void what_was_thrown_is_one_field_with_its_causes() throws Exception {
        var thrown = new IllegalStateException("outer", new IllegalArgumentException("inner"));

        JsonNode json = new ObjectMapper().readTree(line("failed", thrown));

        assertThat(json.get("thrown").asText())
                .contains("outer")
                .contains("Caused by: ")
                .contains("inner");
    }

    @Test
    void the_level_changes_while_the_process_runs_and_comes_back_with_the_end_of_the_file() throws Exception {
        Files.writeString(file, "debug\n");
        levels.look();
        assertThat(level("dev.waybill.relay")).isEqualTo(Level.DEBUG);
        assertThat(level("com.azure.core")).isEqualTo(Level.OFF);

        Files.writeString(file, "# for support\ndev.waybill.relay=TRACE\ncom.azure = warn\n");
        levels.look();
        assertThat(level("dev.waybill.relay.Ring")).isEqualTo(Level.TRACE);
        assertThat(level("dev.waybill.inbox")).isEqualTo(Level.INFO);
        assertThat(level("com.azure.core")).isEqualTo(Level.WARN);

        Files.delete(file);
        levels.look();
        assertThat(level("dev.waybill.relay.Ring")).isEqualTo(Level.INFO);
        assertThat(level("com.azure.core")).isEqualTo(Level.OFF);
    }

    @Test
    void a_file_that_names_no_level_or_is_far_too_long_changes_nothing() throws Exception {
        Files.writeString(file, "DEBUG");
        levels.look();
        Files.writeString(file, "dev.waybill=LOUD");
        levels.look();
        Files.writeString(file, "DEBUG\n".repeat(10_000));
        levels.look();
        Files.delete(file);
        Files.createDirectory(file);
        levels.look();

        assertThat(level("dev.waybill.relay")).isEqualTo(Level.DEBUG);
    }

    @Test
    void the_page_gives_each_library_that_is_kept_quiet_with_its_reason() throws Exception {
        String page = Files.readString(Path.of("../../docs/operations/log.md"));

        assertThat(QuietLoggers.ALL)
                .allSatisfy(quiet -> assertThat(page)
                        .contains("| `" + quiet.logger() + "` | " + quiet.level() + " | " + quiet.why() + " |"));
    }

    @Test
    void the_pages_show_a_line_in_both_forms() throws Exception {
        String shown = Files.readAllLines(Path.of("../../docs/operations/log.md")).stream()
                .filter(line -> line.startsWith("{\"time\""))
                .findFirst()
                .orElseThrow();
        JsonNode json = new ObjectMapper().readTree(shown);
        var event = new LoggingEvent(
                "",
                context.getLogger(json.get("logger").asText()),
                Level.valueOf(json.get("level").asText()),
                json.get("message").asText(),
                null,
                null);
        Instant time = Instant.parse(json.get("time").asText());
        event.setTimeStamp(time.toEpochMilli());

        assertThat(encoded(new JsonLines("one"), event)).isEqualTo(shown + "\n");
        String local = LocalTime.ofInstant(time, ZoneId.systemDefault()).toString();
        assertThat(Files.readAllLines(Path.of("../../docs/operations/running.md")))
                .contains(encoded(Logs.text(context), event)
                        .strip()
                        .replace(local, json.get("time").asText().substring(11, 23)));
    }

    private static String encoded(Encoder<ILoggingEvent> encoder, LoggingEvent event) {
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }

    private Level level(String logger) {
        return context.getLogger(logger).getEffectiveLevel();
    }

    private String line(String message, @Nullable Throwable thrown) {
        var event = new LoggingEvent("", context.getLogger("dev.waybill.Test"), Level.INFO, message, thrown, null);
        event.setTimeStamp(Instant.parse("2026-02-03T04:05:06.007Z").toEpochMilli());
        return new String(new JsonLines("relay \"1\"").encode(event), StandardCharsets.UTF_8);
    }
}
