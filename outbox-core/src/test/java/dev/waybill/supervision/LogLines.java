package dev.waybill.supervision;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** The lines that a class has logged during a test. */
final class LogLines implements BeforeEachCallback, AfterEachCallback {
    private final Logger logger;
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    LogLines(Class<?> type) {
        logger = (Logger) LoggerFactory.getLogger(type);
    }

    Logger logger() {
        return logger;
    }

    /** From INFO on: level, message and, if there is one, the type of what was thrown. */
    List<String> told() {
        return lines.list.stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.INFO))
                .map(line -> line.getLevel() + " " + line.getFormattedMessage()
                        + (line.getThrowableProxy() == null ? "" : " + trace"))
                .toList();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        lines.start();
        logger.addAppender(lines);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        logger.detachAppender(lines);
    }
}
