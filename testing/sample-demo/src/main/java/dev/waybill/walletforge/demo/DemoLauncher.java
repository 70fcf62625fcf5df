package dev.waybill.walletforge.demo;

import java.io.File;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts the demo in a JVM of its own for Maven and passes its exit code on. A build that merely fails always ends
 * with 1, so a run that does not end with 0 ends Maven too, with the code that the demo chose.
 */
final class DemoLauncher {
    private DemoLauncher() {}

    public static void main(String[] arguments) throws Exception {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // A run takes seconds: the optimizing compiler would take a core for most of them.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-cp", classPath(), WalletForge.class.getName()));
        if (arguments.length == 0 || !arguments[0].equals("serve")) {
            command.add("demo");
        }
        command.addAll(List.of(arguments));
        int exitCode = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (exitCode != 0) {
            System.exit(exitCode);
        }
    }

    // Inside Maven the class path is the class loader's and not the JVM's.
    private static String classPath() throws URISyntaxException {
        var entries = new ArrayList<String>();
        if (DemoLauncher.class.getClassLoader() instanceof URLClassLoader loader) {
            for (URL url : loader.getURLs()) {
                entries.add(Path.of(url.toURI()).toString());
            }
        }
        return entries.isEmpty() ? System.getProperty("java.class.path") : String.join(File.pathSeparator, entries);
    }
}
