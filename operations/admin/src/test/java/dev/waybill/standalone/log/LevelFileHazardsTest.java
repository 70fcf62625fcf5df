package dev.waybill.standalone.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class LevelFileHazardsTest {
    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(LevelFile.class);

    @TempDir
    private Path directory;

    private Path file;
    private LevelFile levels;

    @BeforeEach
    void configure() {
        file = directory.resolve("waybill.level");
        Logs.levels(context, Level.INFO);
        levels = Logs.levelFile(context, Level.INFO, file);
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void detach() {
        logger.detachAppender(lines);
    }

    private String told() {
        return lines.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList()
                .toString();
    }

    @Test
    void a_file_that_was_named_by_mistake_is_not_printed() throws Exception {
        Path secret = Files.writeString(directory.resolve("password"), "geheim-4711");
        Files.createSymbolicLink(file, secret);
        levels.look();
        assertThat(told()).doesNotContain("geheim");
    }

    @Test
    void odd_names_of_loggers_change_nothing_and_end_no_thread() throws Exception {
        for (String text : new String[] {
            "=DEBUG",
            ".=DEBUG",
            "a..b=DEBUG",
            "dev.waybill.relay=DEBUG\nz..y=DEBUG",
            "ROOT=TRACE",
            "root=TRACE",
            "dev.waybill=DEBUG\ndev.waybill=LOUD",
            "\u0000=DEBUG",
            "DEBUG\rERROR",
            "OFF"
        }) {
            Files.writeString(file, text);
            levels.look();
        }
        Files.write(file, new byte[] {(byte) 0xff});
        levels.look();
    }

    @Test
    void the_level_of_the_root_in_small_letters_comes_back_with_the_end_of_the_file() throws Exception {
        Files.writeString(file, "root=TRACE");
        levels.look();
        Files.delete(file);
        levels.look();
        assertThat(context.getLogger("ROOT").getLevel()).isEqualTo(Level.WARN);
    }
}
