package dev.waybill.standalone.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version that the build wrote down. */
public final class ProgramVersion {
    private ProgramVersion() {}

    /** The version, or {@code unknown} in a build that wrote none. */
    public static String text() {
        var properties = new Properties();
        try (InputStream in = ProgramVersion.class.getResourceAsStream("/dev/waybill/standalone/version.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version", "unknown");
    }
}
