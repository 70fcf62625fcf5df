package dev.waybill.proof.cast;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How a process of the cast is started.
 *
 * @param logs where each process writes its output
 */
public record Jvm(Path logs) {
    private static final String MAIN = "dev.waybill.proof.role.Role";

    Process start(String name, Options options, List<String> arguments) throws IOException {
        var command = new ArrayList<String>();
        command.addAll(options.prefix());
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(List.of("-Xmx" + options.heapMegabytes() + "m", "-XX:+UseSerialGC"));
        // Processes that are killed again and again do not earn back what the second compiler costs.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError", "-Xshare:auto"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
        command.addAll(arguments);
        var log = ProcessBuilder.Redirect.appendTo(logs.resolve(name + ".log").toFile());
        var builder = new ProcessBuilder(command).redirectError(log);
        return options.answers() ? builder.start() : builder.redirectOutput(log).start();
    }

    /**
     * What differs between processes.
     *
     * @param heapMegabytes the largest heap
     * @param prefix a command in front, such as one that sets the clock
     * @param answers whether the harness reads the output
     */
    public record Options(int heapMegabytes, List<String> prefix, boolean answers) {
        static final Options USUAL = new Options(256, List.of(), false);

        /** The same with another heap. */
        public Options withHeap(int megabytes) {
            return new Options(megabytes, prefix, answers);
        }

        /** The same behind a command. */
        public Options behind(List<String> command) {
            return new Options(heapMegabytes, List.copyOf(command), answers);
        }
    }
}
