package dev.waybill.spring.autoconfigure;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The log of one class while an application starts. Boot takes the appenders away when it sets logging up. */
final class Lines implements AutoCloseable {
    private final Logger logger;
    private final Level before;
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    private Lines(Logger logger) {
        this.logger = logger;
        before = logger.getLevel();
    }

    static Lines of(String type) {
        return new Lines((Logger) LoggerFactory.getLogger(type));
    }

    void listen() {
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    List<String> at(Level level) {
        return List.copyOf(lines.list).stream()
                .filter(line -> line.getLevel().equals(level))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(lines);
        logger.setLevel(before);
    }
}
