package dev.waybill.standalone.cli;

import dev.waybill.standalone.cli.command.CliCommand;
import dev.waybill.standalone.cli.command.ExitCode;
import dev.waybill.standalone.cli.command.Output;
import dev.waybill.standalone.config.Suggestion;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains invalid arguments and suggests the intended command. */
final class ArgumentErrors implements IParameterExceptionHandler {
    private static final int MOST_SUGGESTIONS = 3;

    /** Common wrong words with the intended commands. */
    private static final Map<String, List<String>> MEANT = Map.of(
            "hold", List.of("outbox list", "inbox held list"),
            "holds", List.of("outbox list", "inbox held list"),
            "deadletters", List.of("dlq list"),
            "dead-letters", List.of("dlq list"));

    @Override
    public int handleParseException(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(Output.printable(String.valueOf(wrong.getMessage())));
        if (!isExplained(wrong, arguments) && !isNearOption(wrong)) {
            err.println("'" + command.getCommandSpec().qualifiedName() + " --help' shows what it takes");
        }
        err.flush();
        return ExitCode.BAD_INPUT;
    }

    private static boolean isExplained(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        if (!(wrong instanceof UnmatchedArgumentException unmatched) || command.getCommand() instanceof CliCommand) {
            return false;
        }
        List<String> words = unmatched.getUnmatched();
        command.getErr()
                .println(Output.printable(
                        words.get(0).startsWith("-") ? order(command, words, arguments) : suggestion(command, words)));
        return true;
    }

    private static boolean isNearOption(ParameterException wrong) {
        if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
            return false;
        }
        CommandLine command = wrong.getCommandLine();
        List<String> options = command.getCommandSpec().options().stream()
                .flatMap(option -> Stream.of(option.names()))
                .filter(name -> name.startsWith("--"))
                .toList();
        List<String> near = unmatched.getUnmatched().stream()
                .filter(word -> word.startsWith("--"))
                .map(word -> word.replaceFirst("=.*", ""))
                .flatMap(word -> nearest(options.stream(), word).stream())
                .toList();
        near.forEach(name -> command.getErr().println("Did you mean " + name + "?"));
        return !near.isEmpty();
    }

    private static String order(CommandLine command, List<String> options, String[] arguments) {
        var moved = new ArrayList<>(List.of(arguments));
        options.forEach(moved::remove);
        if (moved.isEmpty()) {
            moved.add("COMMAND");
        }
        moved.addAll(options);
        return "Options follow the command: " + root(command) + " " + String.join(" ", moved);
    }

    private static String suggestion(CommandLine command, List<String> words) {
        String wrong = words.get(0).toLowerCase(Locale.ROOT);
        List<String> meant = MEANT.getOrDefault(wrong, List.of());
        List<String> likely = meant.isEmpty() ? likely(command, wrong) : meant;
        return likely.isEmpty()
                ? "'" + command.getCommandSpec().qualifiedName() + " --help' lists the commands"
                : likely.stream()
                        .map(path -> "'" + root(command) + " " + path + "'")
                        .collect(Collectors.joining(", ", "Did you mean ", "?"));
    }

    // Searches the given group, then all groups.
    private static List<String> likely(CommandLine command, String wrong) {
        CommandLine root = command.getCommandSpec().root().commandLine();
        String group = command.getCommandSpec()
                .qualifiedName()
                .substring(root(command).length())
                .strip();
        List<String> here = nearest(paths(command, group.isEmpty() ? "" : group + " "), wrong);
        return here.isEmpty() ? nearest(paths(root, ""), wrong) : here;
    }

    private static List<String> nearest(Stream<String> paths, String wrong) {
        Map<Integer, List<String>> near = paths.collect(Collectors.groupingBy(
                path -> Suggestion.distance(path.substring(path.lastIndexOf(' ') + 1), wrong),
                TreeMap::new,
                Collectors.toList()));
        return near.entrySet().stream()
                .filter(entry -> entry.getKey() <= Math.max(1, wrong.length() / 3))
                .findFirst()
                .map(Map.Entry::getValue)
                .orElse(List.of())
                .stream()
                .sorted(Comparator.comparingInt(path -> path.split(" ", -1).length))
                .limit(MOST_SUGGESTIONS)
                .toList();
    }

    private static Stream<String> paths(CommandLine command, String before) {
        return command.getSubcommands().entrySet().stream()
                .flatMap(entry -> Stream.concat(
                        Stream.of(before + entry.getKey()), paths(entry.getValue(), before + entry.getKey() + " ")));
    }

    private static String root(CommandLine command) {
        return command.getCommandSpec().root().name();
    }
}
