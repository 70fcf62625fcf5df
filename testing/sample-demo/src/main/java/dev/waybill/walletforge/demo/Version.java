package dev.waybill.walletforge.demo;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote down. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        var properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            if (in != null) {
                properties.load(in);
            }
        }
        return new String[] {"WalletForge " + properties.getProperty("version", "unknown")};
    }
}
