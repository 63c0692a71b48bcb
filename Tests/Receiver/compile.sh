# The steps that Tests/Receiver/run and replay share.
root=$(cd "$here/../.." && pwd -P)
java=$root/Sources/Languages/java
jars=/usr/share/java
libraries=${BCPROV:-$jars/bcprov.jar}:$jars/junit4.jar:$jars/hamcrest-all.jar

install() {
    local missing=()
    [ -x /usr/bin/javac ] || missing+=(openjdk-17-jdk-headless)
    [ -e "$jars/bcprov.jar" ] || missing+=(libbcprov-java)
    [ -e "$jars/junit4.jar" ] || missing+=(junit4)
    [ -e "$jars/hamcrest-all.jar" ] || missing+=(libhamcrest-java)
    [ ${#missing[@]} -eq 0 ] && return
    apt-get update >&2
    apt-get install --yes --no-install-recommends "${missing[@]}" >&2
}

# compile DIRECTORY: the receiver at the level of Java 8, the server's classes, the stand-ins and the tests.
compile() {
    local work=$1
    local strict=(-J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1)
    strict+=(-Xlint:all,-path,-options,-processing -Werror -encoding UTF-8)
    mkdir "$work"/{core,server,standins,android,tests}
    mapfile -t shared < <(sed "s|^|$java/src/pushcrypt/|" "$java/receiver/shared")
    # Only the classes that a team gets are on the path here.
    javac "${strict[@]}" --release 8 -cp "$jars/bcprov.jar" -d "$work/core" \
        "${shared[@]}" "$java"/receiver/src/pushcrypt/receiver/*.java
    find "$here/standins" -name '*.java' -print0 | xargs -0 javac "${strict[@]}" --release 8 -d "$work/standins"
    javac "${strict[@]}" --release 8 -cp "$work/core:$work/standins" -d "$work/android" \
        "$java"/receiver/android/src/pushcrypt/android/*.java
    javac "${strict[@]}" --release 17 -cp "$jars/bcprov.jar" -d "$work/server" "$java"/src/pushcrypt/*.java
    find "$here/src" -name '*.java' -print0 | xargs -0 javac "${strict[@]}" --release 17 \
        -cp "$work/core:$work/server:$work/android:$work/standins:$libraries" -d "$work/tests"
}
