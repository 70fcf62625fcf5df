package dev.waybill.standalone.cli.status;

import dev.waybill.standalone.cli.command.ArgumentConverters;
import dev.waybill.standalone.cli.command.DatabaseCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.Times;
import dev.waybill.standalone.database.DatabaseFailure;
import dev.waybill.standalone.database.Overview;
import dev.waybill.standalone.database.OverviewReader;
import dev.waybill.standalone.log.Terminal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "watch",
        description = "Shows the status again and again until it is ended (Ctrl-C); goes on while the database is away."
                + " Exit code of the last look as status; 0 after Ctrl-C.")
public final class WatchCommand extends DatabaseCommand {
    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Option(
            names = "--every",
            defaultValue = "2s",
            converter = ArgumentConverters.PollInterval.class,
            paramLabel = "TIME",
            description = "How often (2s).")
    @SuppressWarnings("NullAway.Init")
    private Duration every;

    @Option(
            names = "--count",
            defaultValue = "0",
            converter = ArgumentConverters.NonNegativeLong.class,
            paramLabel = "N",
            description = "End after so many looks. Default: 0, for no end.")
    private long count;

    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    @Override
    protected boolean waits() {
        return true;
    }

    @Override
    protected int run(DatabaseSettings settings, DataSource pool) throws InterruptedException {
        // The JVM would end with 130 in the middle of a line.
        var hook = new Thread(this::end, "waybill-watch-end");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return watch(settings, new OverviewReader(settings.name(), pool, settings.schema()));
        } finally {
            ended.countDown();
            if (stopping.getCount() > 0) {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
        }
    }

    private int watch(DatabaseSettings settings, OverviewReader reader) throws InterruptedException {
        long rest = every.toMillis();
        int code = look(settings, reader);
        for (long looks = 1;
                looks != count && !output().isClosed() && !stopping.await(rest, TimeUnit.MILLISECONDS);
                looks++) {
            code = look(settings, reader);
        }
        return code;
    }

    private int look(DatabaseSettings settings, OverviewReader reader) {
        Output output = output();
        try {
            Overview overview = reader.read();
            clear(output);
            new StatusPrinter(output).print(overview);
            output.say("");
            return StatusPrinter.code(overview);
        } catch (RuntimeException e) {
            clear(output);
            String why = Output.printable(DatabaseFailure.text(settings, e));
            if (output.isJson()) {
                output.object(Output.row("database", settings.name(), "error", why));
            } else {
                output.say(why);
                output.say("Looking again every " + Times.text(every) + ".");
            }
            return DatabaseFailure.isConnection(e) ? ExitCode.UNREACHABLE : ExitCode.FAILED;
        }
    }

    private static void clear(Output output) {
        if (Terminal.isThere()) {
            output.raw(CLEAR);
        }
    }

    private void end() {
        stopping.countDown();
        try {
            ended.await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(ExitCode.OK);
    }
}
