//! Enumerations whose cases have a name in the format.

/// Declares an enumeration with `name`, `ALL` and `FromStr`.
macro_rules! named {
    (
        $(#[$meta:meta])* $type:ident, $code:literal, $reason:literal;
        $( $(#[$case_meta:meta])* $case:ident = $name:literal, )*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type {
            $( $(#[$case_meta])* $case, )*
        }

        impl $type {
            /// All cases, in the order of the format.
            pub const ALL: &'static [$type] = &[$( $type::$case, )*];

            /// Returns the name.
            pub fn name(self) -> &'static str {
                match self {
                    $( $type::$case => $name, )*
                }
            }
        }

        impl std::str::FromStr for $type {
            type Err = crate::error::Error;

            fn from_str(name: &str) -> crate::error::Result<Self> {
                let found = $type::ALL.iter().copied().find(|each| each.name() == name);
                found.ok_or_else(|| crate::error::Error::new($code, $reason))
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.name())
            }
        }
    };
}

named! {
    /// The header `apns-push-type` of a push that can be sealed.
    PushType, "not-sealable", "Pushes of this type can't be sealed. Send them unsealed.";
    /// A notification.
    Alert = "alert",
    /// A silent push.
    Background = "background",
    /// A call.
    Voip = "voip",
    /// An update of a Live Activity.
    LiveActivity = "liveactivity",
    /// A request for the location.
    Location = "location",
    /// A session of Push to Talk.
    PushToTalk = "pushtotalk",
}

/// The kind of a message, by its number in the format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Notification = 1,
    Background,
    Voip,
    ActivityState,
    ActivityAttributes,
    Location,
    PushToTalk,
    Withdrawal,
}

named! {
    /// The lengths to which messages are padded.
    Padding, "invalid-configuration", "The padding isn't valid. Give buckets, maximum or none.";
    /// The next of a few lengths.
    Buckets = "buckets",
    /// The longest message that fits.
    Maximum = "maximum",
    /// No padding, so that the length reveals the original's.
    None = "none",
}

named! {
    /// A member of `aps` that can stay readable in an alert or, as `alert` alone, in a Live Activity.
    ExposedMember, "invalid-configuration", "A member can't be exposed. Give a member of Format.md.";
    /// `category`
    Category = "category",
    /// `thread-id`
    ThreadId = "thread-id",
    /// `sound`
    Sound = "sound",
    /// `badge`
    Badge = "badge",
    /// `interruption-level`
    InterruptionLevel = "interruption-level",
    /// `relevance-score`
    RelevanceScore = "relevance-score",
    /// `target-content-id`
    TargetContentId = "target-content-id",
    /// `filter-criteria`
    FilterCriteria = "filter-criteria",
    /// `content-available`
    ContentAvailable = "content-available",
    /// `alert`, in a Live Activity alone
    Alert = "alert",
}

impl PushType {
    /// Returns the kind of its messages. The state of a Live Activity comes first.
    pub(crate) fn kind(self) -> Kind {
        match self {
            PushType::Alert => Kind::Notification,
            PushType::Background => Kind::Background,
            PushType::Voip => Kind::Voip,
            PushType::LiveActivity => Kind::ActivityState,
            PushType::Location => Kind::Location,
            PushType::PushToTalk => Kind::PushToTalk,
        }
    }

    /// Returns the end that Apple requires of the header `apns-topic`.
    pub(crate) fn topic_suffix(self) -> &'static str {
        match self {
            PushType::Voip => ".voip",
            PushType::LiveActivity => ".push-type.liveactivity",
            PushType::Location => ".location-query",
            PushType::PushToTalk => ".voip-ptt",
            PushType::Alert | PushType::Background => "",
        }
    }

    /// Returns the longest payload that APNs accepts, in bytes.
    pub(crate) fn maximum(self) -> i64 {
        if self == PushType::Voip {
            return 5120;
        }
        4096
    }
}
