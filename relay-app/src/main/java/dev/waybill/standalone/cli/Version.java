package dev.waybill.standalone.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote down. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        return new String[] {"waybill-relay " + text()};
    }

    static String text() throws IOException {
        var properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("/dev/waybill/standalone/version.properties")) {
            if (in != null) {
                properties.load(in);
            }
        }
        return properties.getProperty("version", "unknown");
    }
}
