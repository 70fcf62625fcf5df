package dev.waybill.standalone.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import dev.waybill.standalone.config.ProcessSettings;
import dev.waybill.standalone.config.ProcessSettings.LogFormat;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets the log up, in code: a configuration file in the library's jar would be found by applications that embed
 * the relay.
 */
public final class Logs {
    private static final String OURS = "dev.waybill";

    /** They tell of every attempt; the relay tells of what becomes of it. */
    private static final List<String> NOISY =
            List.of("com.azure", "reactor", "com.microsoft", "org.flywaydb", "io.netty");

    /** They say which identity of the chain has won. */
    private static final List<String> CREDENTIALS =
            List.of("com.azure.identity.ChainedTokenCredential", "com.azure.identity.DefaultAzureCredential");

    private Logs() {}

    /** For commands: standard output belongs to the answer. */
    public static void forCommands() {
        set("System.err", false, Level.WARN);
        // A command says itself what has failed; they would say it once for each try, before the answer.
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            NOISY.forEach(name -> context.getLogger(name).setLevel(Level.OFF));
        }
    }

    /** For a process that runs until it is stopped. */
    public static void forRun(ProcessSettings settings) {
        LogFormat format = settings.logs().format();
        boolean json = format == LogFormat.JSON || (format == LogFormat.AUTO && !Terminal.isThere());
        set("System.out", json, Level.toLevel(settings.logs().level(), Level.INFO));
    }

    private static void set(String target, boolean json, Level level) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return;
        }
        context.reset();
        var appender = new ConsoleAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setTarget(target);
        appender.setEncoder(json ? json(context) : text(context));
        appender.start();
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(appender);
        context.getLogger(OURS).setLevel(level);
        NOISY.forEach(name -> context.getLogger(name).setLevel(Level.ERROR));
        CREDENTIALS.forEach(name -> context.getLogger(name).setLevel(level));
    }

    private static Encoder<ILoggingEvent> json(LoggerContext context) {
        var encoder = new JsonEncoder();
        encoder.setContext(context);
        encoder.setWithFormattedMessage(true);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithSequenceNumber(false);
        encoder.setWithContext(false);
        encoder.setWithNanoseconds(false);
        encoder.start();
        return encoder;
    }

    private static Encoder<ILoggingEvent> text(LoggerContext context) {
        var encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d{HH:mm:ss.SSS} %-5level %logger{0} %msg%n%rEx{short}");
        encoder.start();
        return encoder;
    }
}
