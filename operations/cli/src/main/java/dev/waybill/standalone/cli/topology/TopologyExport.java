package dev.waybill.standalone.cli.topology;

import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.topology.Declaration;
import dev.waybill.standalone.topology.export.Export;
import dev.waybill.standalone.topology.export.Export.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "export",
        description = {
            "Writes what is declared for other tools: namespace, entities, roles, diagnostics, alerts and, for Premium, a private"
                    + " endpoint.",
            "Asks neither a database nor a namespace. Exit code 10 if the tool cannot do all of it: standard error says what."
        })
final class TopologyExport extends CliCommand {
    @Option(
            names = "--format",
            required = true,
            paramLabel = "FORMAT",
            description = "One of ${COMPLETION-CANDIDATES}.")
    @SuppressWarnings("NullAway.Init")
    private Format format;

    @Option(
            names = "--out",
            paramLabel = "DIRECTORY",
            description =
                    "Write the file there, over one that is there; with several namespaces in a directory for each.")
    private @Nullable Path out;

    @Option(names = "--namespace", paramLabel = "NAME", description = "Only this namespace.")
    private @Nullable String namespace;

    @Override
    public Integer call() throws IOException {
        Configuration configuration = configuration();
        List<Declaration> declarations = TopologyCommands.declarations(configuration, namespace);
        if (out == null && declarations.size() > 1) {
            throw new IllegalArgumentException("Which namespace? Give --namespace, or --out for all of them");
        }
        List<Map<String, Object>> rows = new ArrayList<>();
        boolean warned = false;
        for (Declaration declaration : declarations) {
            Export export = Export.of(configuration, declaration, format);
            String name = declaration.namespace().name();
            String file = out == null ? "" : write(declarations.size() > 1 ? out.resolve(name) : out, export);
            rows.add(Output.row("namespace", name, "file", file, "warnings", export.warnings()));
            export.warnings().forEach(this::warn);
            warned |= !export.warnings().isEmpty();
            if (out == null) {
                output().raw(export.text());
            }
        }
        if (out != null || output().isJson()) {
            output().table(rows, "");
        }
        return warned ? ExitCode.WARNINGS : ExitCode.OK;
    }

    // Replaces the file atomically.
    private static String write(Path directory, Export export) throws IOException {
        Files.createDirectories(directory);
        Path file = directory.resolve(export.file());
        Path next = Files.createTempFile(directory, export.file(), ".new");
        Files.writeString(next, export.text());
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
        return file.toString();
    }
}
