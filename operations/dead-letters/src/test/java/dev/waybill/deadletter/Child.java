package dev.waybill.deadletter;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A JVM of its own that runs one of this module's test programs. */
public final class Child {
    private Child() {}

    public static Process start(Class<?> program, int megabytes, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx" + megabytes + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
