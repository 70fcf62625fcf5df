package dev.waybill.standalone.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import dev.waybill.standalone.config.ProcessSettings;
import dev.waybill.standalone.config.ProcessSettings.LogFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Configures logging in code: a configuration file in the jar would affect applications that embed the relay. */
public final class Logs {
    static final String OURS = "dev.waybill";

    /** They log which identity of the chain works. */
    private static final List<String> CREDENTIALS =
            List.of("com.azure.identity.ChainedTokenCredential", "com.azure.identity.DefaultAzureCredential");

    private Logs() {}

    /** For commands: standard output contains the result only. */
    public static void forCommands() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            set(context, "System.err", text(context));
            levels(context, Level.WARN);
            context.getLogger(AuditLog.NAME).setLevel(Level.INFO);
            // The command reports the failure itself; these libraries would log it at every retry.
            QuietLoggers.ALL.forEach(quiet -> context.getLogger(quiet.logger()).setLevel(Level.OFF));
        }
    }

    /** For a long-running process. A file can change its levels. */
    public static void forRun(ProcessSettings settings) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            LogFormat format = settings.logs().format();
            boolean json = format == LogFormat.JSON || (format == LogFormat.AUTO && !Terminal.isThere());
            Level level = Level.toLevel(settings.logs().level(), Level.INFO);
            set(context, "System.out", json ? json(context, settings.instance()) : text(context));
            levels(context, level);
            levelFile(context, level, settings.logs().levelFile()).watch();
        }
    }

    static LevelFile levelFile(LoggerContext context, Level configured, Path file) {
        return new LevelFile(file, new Changes(context, configured, ConcurrentHashMap.newKeySet())::apply);
    }

    private static void set(LoggerContext context, String target, Encoder<ILoggingEvent> encoder) {
        context.reset();
        var appender = new ConsoleAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setTarget(target);
        appender.setEncoder(encoder);
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
    }

    static void levels(LoggerContext context, Level level) {
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        context.getLogger(OURS).setLevel(level);
        QuietLoggers.ALL.forEach(quiet -> context.getLogger(quiet.logger()).setLevel(quiet.level()));
        CREDENTIALS.forEach(name -> context.getLogger(name).setLevel(level));
    }

    private static Encoder<ILoggingEvent> json(LoggerContext context, String instance) {
        var encoder = new JsonLines(instance);
        encoder.setContext(context);
        encoder.start();
        return encoder;
    }

    static Encoder<ILoggingEvent> text(LoggerContext context) {
        var encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d{HH:mm:ss.SSS} %-5level %logger{0} %msg%n%rEx{short}");
        encoder.start();
        return encoder;
    }

    /** Temporary level changes. */
    private record Changes(LoggerContext context, Level configured, Set<String> changed) {
        void apply(Map<String, Level> levels) {
            changed.forEach(name -> context.getLogger(name)
                    .setLevel(name.equalsIgnoreCase(Logger.ROOT_LOGGER_NAME) ? Level.WARN : null));
            changed.clear();
            Logs.levels(context, configured);
            levels.forEach((name, level) -> context.getLogger(name).setLevel(level));
            changed.addAll(levels.keySet());
        }
    }
}
