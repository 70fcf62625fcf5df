package dev.waybill.standalone.cli.command;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.Sources;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A verb with the common options. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
public abstract class CliCommand implements Callable<Integer> {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "The configuration file (WAYBILL_CONFIG).")
    private @Nullable Path config;

    @Option(
            names = "--set",
            paramLabel = "OPTION=VALUE",
            description = "An option of the configuration; may be repeated, and wins over all other places.")
    private Map<String, String> flags = new LinkedHashMap<>();

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    protected final CommandSpec spec() {
        return spec;
    }

    protected final Configuration configuration() {
        var root = (RootCommand) spec.root().userObject();
        return Configuration.of(Sources.of(flags, root.environment(), Optional.ofNullable(config)));
    }

    /** Prints to standard error. */
    protected final void warn(String text) {
        spec.commandLine().getErr().println(Output.printable(text));
        spec.commandLine().getErr().flush();
    }

    /** Opens a document of an export. */
    protected final Writer create(Path file) throws IOException {
        return Documents.create(file, spec.commandLine().getOut());
    }

    /** The output for the summary of an export. */
    protected final Output outputBeside(Path document) {
        return Documents.isStandardOutput(document) ? output().besideDocument() : output();
    }

    public final Output output() {
        return new Output(spec.commandLine().getOut(), spec.commandLine().getErr(), json);
    }
}
