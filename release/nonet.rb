# The formula of Homebrew; release/build fills in the version, the checksum and NONET_HOMEPAGE.
class Nonet < Formula
  desc "Backgammon engine, trainer and server bot with nine neural nets"
  homepage "HOMEPAGE"
  url "HOMEPAGE/releases/download/vVERSION/nonet-VERSION.tar.gz"
  sha256 "SHA256"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    generate_completions_from_executable(bin/"nonet", "completions")
  end

  test do
    assert_match "24/23 13/10", shell_output("#{bin}/nonet hint 4HPwATDgc/ABMA 31")
  end
end
